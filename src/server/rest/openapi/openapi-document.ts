import type { z } from 'zod'
import type { Call } from '../../calls/shared/define-call.ts'
import type { Bytes } from '../../http/compression.ts'
import { type DescribedCall, describeCall, type Operation, tagOf, templateOf } from './describe-call.ts'
import { type JsonSchema, jsonSchemaOf, recordOf } from './json-schema.ts'
import { securitySchemes } from './security-schemes.ts'

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  /** Operations by path and by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, object>>
    readonly securitySchemes: typeof securitySchemes
  }
}

/** Version of the interface: raised by a change that a program can notice. */
const version = '1.0.0'

const about = `
The REST API of this shop. [OpenAPI document](/wp-json/openapi.json).

- \`wc/v3\`: the merchant's programs, with an API key.
- \`wc/store/v1\`: storefronts, for visitors and their carts.
- \`wp/v2\` and \`vitrine/v1\`: the shop's own pages, for staff who are logged in.

Amounts of \`wc/v3\` are decimal strings; amounts of the Store API are strings of minor units. Times are in the shop's time zone;
members that end in \`_gmt\` are in UTC. A list has at most 100 records per page. Unknown members of a request are ignored.
`.trim()

/** Checks whether a call belongs to the document: it has a description, and is no alias of another path. */
export const isDescribed = (call: Call): call is DescribedCall =>
  call.description !== undefined && call.door === 'rest' && call.namespace !== 'wc/store'

/**
 * Returns the OpenAPI document of the calls that have a description.
 * @param shop its name, and its origin without a trailing slash
 */
export function openApiDocument(
  calls: readonly Call[],
  shop: { readonly name: string; readonly publicUrl: string },
): OpenApiDocument {
  const described = calls.filter(isDescribed)
  const names = componentNames(described)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const call of described) {
    const own = [call.method, ...(call.alsoMethods ?? [])].map(
      (method) => [method.toLowerCase(), describeCall(call, method, names)] as const,
    )
    paths[templateOf(call)] = { ...paths[templateOf(call)], ...Object.fromEntries(own) }
  }
  return {
    openapi: '3.1.0',
    info: { title: shop.name, version, description: about },
    servers: [{ url: shop.publicUrl }],
    tags: [...new Set(described.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(
          [...names].map(([schema, name]) => [name, jsonSchemaOf(schema, 'output', names)] as const),
        ),
        Error: errorSchema,
      },
      responses: {
        Error: errorAnswer('The request was rejected'),
        NoTrash: errorAnswer('Records of this kind have no trash: repeat with `force=true`'),
        Failure: errorAnswer('The shop failed, and has recorded the error'),
        Busy: errorAnswer('The shop is busy: repeat after the time in `Retry-After`'),
      },
      securitySchemes,
    },
  }
}

/** Returns a function that returns the document as JSON: the same bytes until the shop's name or origin changes. */
export function documentBytes(calls: readonly Call[], shop: () => { name: string; publicUrl: string }): () => Bytes {
  let made: { readonly of: string; readonly bytes: Bytes } | undefined
  return () => {
    const { name, publicUrl } = shop()
    const of = `${publicUrl} ${name}`
    if (made?.of !== of) made = { of, bytes: Buffer.from(JSON.stringify(openApiDocument(calls, { name, publicUrl }))) }
    return made.bytes
  }
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  additionalProperties: false,
  properties: {
    code: { type: 'string', description: 'For programs: `rest_invalid_param`' },
    message: { type: 'string', description: 'For people' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The status of the answer' },
        params: {
          description: 'Faults by the name of the parameter, or the names of missing parameters',
          anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'string' } }],
        },
      },
    },
  },
}

const errorAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** Names the records that calls answer with, after their group: `V3Products`, `V3Products2`. */
function componentNames(calls: readonly DescribedCall[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  const taken = new Set(['Error'])
  for (const { namespace = '', description } of calls) {
    const record = recordOf(description.response)
    if (names.has(record) || record._zod.def.type !== 'object') continue
    const [vendor = '', ...rest] = namespace.split('/')
    const group = namespace === 'wc/v3' ? 'v3' : ((rest[0]?.match(/^v\d/) ? vendor : rest[0]) ?? vendor)
    const name = [group, ...description.tag.split(/\W+/)].map(capitalized).join('')
    let own = name
    for (let next = 2; taken.has(own); next += 1) own = `${name}${next}`
    taken.add(own)
    names.set(record, own)
  }
  return names
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
