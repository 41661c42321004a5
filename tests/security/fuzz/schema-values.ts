import fc from 'fast-check'
import type { JsonSchema } from '#server/rest/openapi/json-schema.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Ids, names and amounts by which a request comes farther than to the first refusal. */
export type KnownValues = { readonly ids: readonly number[]; readonly texts: readonly string[] }

const mostMembers = 4
const longest = 60

/** Texts that break what is put together carelessly, in a query, in markup, in a path or in a spreadsheet. */
const awkward = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  'null',
  "'; drop table orders; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '=1+1',
  '%00',
  '\u0000',
  '\ud800',
  '𝕏'.repeat(40),
  'ä'.repeat(300),
]

/** Returns values that a schema accepts, as far as it states what it accepts. */
export function validValues(
  schema: JsonSchema,
  schemas: Schemas,
  known: KnownValues,
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (of: unknown) => validValues(of as JsonSchema, schemas, known, depth + 1)
  if (typeof schema.$ref === 'string') return inner(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(inner))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: unknown) => inner({ ...schema, type })))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numbers(schema, known)
    case 'string':
      return texts(schema, known)
    case 'array': {
      const most = Math.min(Number(schema.maxItems ?? mostMembers), depth > 3 ? 1 : mostMembers)
      return fc.array(inner(schema.items ?? {}), { minLength: Number(schema.minItems ?? 0), maxLength: most })
    }
    case 'object':
      return objects(schema, inner)
    default:
      return depth > 3 ? fc.constantFrom(null, 1, 'text') : fc.jsonValue({ maxDepth: 1 })
  }
}

function numbers({ type, minimum, exclusiveMinimum, maximum }: JsonSchema, known: KnownValues): fc.Arbitrary<number> {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : Number(exclusiveMinimum) + 1))
  const most = Math.min(Number(maximum ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  const fitting = known.ids.filter((id) => id >= least && id <= most)
  const any =
    type === 'integer'
      ? fc.integer({ min: least, max: most })
      : fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true })
  const low = fc.integer({ min: Math.ceil(least), max: Math.min(most, Math.ceil(least) + 20) })
  return fitting.length > 0 ? fc.oneof(fc.constantFrom(...fitting), low, any) : fc.oneof(low, any)
}

function texts({ maxLength, minLength, pattern, format }: JsonSchema, known: KnownValues): fc.Arbitrary<string> {
  const most = Math.min(Number(maxLength ?? longest), longest)
  const least = Math.min(Number(minLength ?? 0), most)
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (typeof pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(pattern))
    } catch {
      // A pattern with an assertion that the generator does not know: texts that may or may not match.
      return fc.string({ maxLength: most })
    }
  }
  const fitting = [...known.texts, ...awkward].filter((text) => text.length >= least && text.length <= most)
  return fc.oneof(fc.constantFrom(...fitting), fc.string({ unit: 'grapheme', minLength: least, maxLength: most }))
}

function objects(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  inner: (of: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(Object(properties)).map(([name, of]) => [name, inner(of)] as const))
  const own = fc.record(members, { requiredKeys: required as string[] })
  if (typeof additionalProperties !== 'object' || Object.keys(members).length > 0) return own
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), inner(additionalProperties), { maxKeys: 3 })
}

/** Returns members of which some are left out, of another type, too large, or not known at all. */
export function mutated(members: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(...awkward, null, true, -1, 1.5, 9_007_199_254_740_992, [], {}, [[]], { 0: { 1: 'x' } }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  return fc
    .tuple(members, fc.array(fc.tuple(fc.nat(100), wrong, fc.nat(3)), { minLength: 1, maxLength: 3 }))
    .map(([own, changes]) => {
      const changed: Record<string, unknown> = { ...own }
      for (const [at, value, way] of changes) {
        const names = Object.keys(changed)
        const name = names[at % Math.max(names.length, 1)] ?? 'unknown'
        if (way === 0) delete changed[name]
        else if (way === 1) changed[`${name}_`] = value
        else changed[name] = value
      }
      return changed
    })
}
