import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { calls } from '#server/calls/shared/call-routes.ts'

// The page on what comes in is for readers; the schemas and constants decide. Here they are held together.

/** Interfaces whose fields stand in the description of the API, which is generated from the schemas. */
const described: readonly (string | undefined)[] = ['wc/v3', 'wc/store/v1', 'wc/store']

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security/input.md'), 'utf8')

type Schema = Partial<{
  type: string
  enum: unknown[]
  const: unknown
  pattern: string
  maxLength: number
  minimum: number
  exclusiveMinimum: number
  maximum: number
  maxItems: number
  items: Schema
  anyOf: Schema[]
  properties: Record<string, Schema>
  required: string[]
  additionalProperties: Schema
}>

/** A schema in a few words: what it takes, and how much of it. */
function told(schema: Schema): string {
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.length > 7 ? `one of ${schema.enum.length} words` : words(schema.enum)
  if (schema.anyOf) return schema.anyOf.map(told).join(' or ')
  if (schema.pattern) return `\`${schema.pattern}\``
  if (schema.type === 'string') return schema.maxLength === undefined ? 'text' : `text ≤ ${schema.maxLength}`
  if (schema.type === 'integer' || schema.type === 'number') return figure(schema)
  if (schema.type === 'boolean') return 'yes or no'
  if (schema.type === 'array') return `≤ ${schema.maxItems} × ${told(schema.items ?? {})}`
  const own = Object.entries(schema.properties ?? {}).map(
    ([name, of]) => `${name}${schema.required?.includes(name) ? '*' : ''}: ${told(of)}`,
  )
  const others = schema.additionalProperties
  const rest = others && told(others)
  const all = [...own, ...(rest ? [`others: ${rest}`] : [])].join('; ')
  return schema.type === undefined
    ? ''
    : all === ''
      ? ''
      : own.length > 0 && schema.type === 'object'
        ? `{ ${all} }`
        : all
}

const words = (list: readonly unknown[]) => list.map((word) => (word === '' ? 'nothing' : `\`${word}\``)).join(', ')

function figure({ type, minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const least =
    minimum ??
    (exclusiveMinimum === undefined ? undefined : type === 'integer' ? exclusiveMinimum + 1 : `> ${exclusiveMinimum}`)
  const most = maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : least === undefined ? '' : ' or more'
  return `${type === 'integer' ? 'whole' : 'number'}${least === undefined ? '' : ` ${least}`}${most}`
}

/** Calls of the Store API parse their body themselves: the description has the schema. */
const schemaOf = ({ origins, description, input }: (typeof calls)[number]): z.ZodType =>
  (origins === 'listed' ? (description?.query ?? description?.body) : undefined) ?? input

function line(call: (typeof calls)[number]): string {
  const { name, method, identity } = call
  const schema = z.toJSONSchema(schemaOf(call), { io: 'input', unrepresentable: 'any' }) as Schema
  const fields = told(schema)
    .replace(/^\{ (.*) \}$/, '$1')
    .replaceAll('|', '\\|')
  return `| ${method} \`${name}\` | ${identity} | ${fields}${fields && ' '}|`
}

it('M9 the documented fields of each call are those of its schema', () => {
  const listed = page.split('\n').filter((row) => /^\| (?:GET|POST|PUT|PATCH|DELETE) /.test(row))
  expect(listed).toEqual(calls.filter(({ namespace }) => !described.includes(namespace)).map(line))
})

it('M9 the documented limits are those of the code', () => {
  const rows = [...page.matchAll(/^\| [^|]+ \| ([\d,]+)[^|]* \| `(src\/[^`]+)` `(\w+)` \|$/gm)]
  expect(rows.length).toBeGreaterThan(20)
  for (const [, said = '', file = '', name = ''] of rows) {
    const text = readFileSync(join(root, file), 'utf8').replace(/\n\s*\./g, '.')
    const found = new RegExp(
      `(?<![\\w.])(?:${name})(?: = |: )(?:z[\\w.()]*\\.(?:default|max)\\()?([\\d_]+(?: \\* [\\d_]+)*)`,
    ).exec(text)?.[1]
    const worth = found?.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
    expect([file, name, worth]).toEqual([file, name, Number(said.replaceAll(',', ''))])
  }
})
