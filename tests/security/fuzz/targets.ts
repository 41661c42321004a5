import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { urls } from '#contract/shared/urls.ts'
import { readStatisticsInput } from '#contract/statistics/read-statistics.ts'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import type { Call, IdentityPolicy } from '#server/calls/shared/define-call.ts'
import { type PageIdentity, pageRoutes } from '#server/pages/shared/page-routes.ts'
import { formFields } from '#tests/security/support/entry-points.ts'

/** As much of JSON Schema as the declarations of the calls become. */
export type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A route as a fuzzer sees it: where it is, who is let in, and what it reads. */
export type Target = {
  readonly name: string
  readonly methods: readonly string[]
  /** With the parameters of the route table: `/product/:slug/`. */
  readonly path: string
  readonly json: boolean
  readonly identity: IdentityPolicy | PageIdentity
  readonly nonce: { readonly field: string; readonly action: string } | 'header' | 'store-header' | null
  /** Each name that it reads, and what its declaration says of the value. */
  readonly fields: Readonly<Record<string, Schema>>
  /** Of those, the ones that it is known to look at; what it asks for while it answers is heard as well. */
  readonly own: readonly string[]
}

const server = join(import.meta.dirname, '../../../src/server')
const reads =
  /(?:searchParams\.(?:get|has)\(|query\.(?:get|has)\(|fields\[|postedText\(fields, )'([\w[\]-]+)'|fields\.(\w+)/g

/** Names that any page reads, as its source says: a new one is fuzzed without being told of. */
const pageNames = [
  ...new Set(
    globSync('**/*.{ts,tsx}', { cwd: server }).flatMap((file) =>
      [...readFileSync(join(server, file), 'utf8').matchAll(reads)].map(([, quoted, dotted]) => quoted ?? dotted ?? ''),
    ),
  ),
].filter((name) => name !== 'push' && name !== 'map')

/** What the list of products is asked by, put together from the attributes of the shop. */
const listingNames = [
  'orderby',
  'min_price',
  'max_price',
  'rating_filter',
  'filter_colour',
  'on_sale',
  'in_stock',
  's',
  'post_type',
  'paged',
]

const anything = (names: readonly string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, {}]))

function fieldsOfCall({ input, method, description }: Call): Record<string, Schema> {
  // Calls of programs parse their input themselves, after they know who asks.
  const schema = description?.query ?? description?.body ?? input
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  if (Object.keys(properties).length > 0) return properties
  return method === 'GET' ? {} : anything(formFields['/checkout/'] ?? [])
}

function targetOfCall(call: Call): Target {
  const { name, door, forgery, identity, method, alsoMethods = [], origins, namespace } = call
  return {
    name: `${method} ${door} ${origins === 'listed' ? `${namespace} ` : ''}${name}`,
    methods: [method, ...alsoMethods],
    path:
      door === 'rest'
        ? restPath(call)
        : door === 'admin-ajax'
          ? `${urls.adminAjax}?action=${name}`
          : `/?wc-ajax=${name}`,
    json: door === 'rest',
    identity,
    nonce:
      'header' in forgery
        ? 'header'
        : origins === 'listed' && 'checkedByCall' in forgery
          ? 'store-header'
          : 'nonce' in forgery
            ? { field: forgery.field, action: forgery.nonce }
            : 'checkedByCall' in forgery
              ? {
                  field: name === 'checkout' ? 'woocommerce-process-checkout-nonce' : 'security',
                  action: forgery.checkedByCall,
                }
              : null,
    fields: fieldsOfCall(call),
    own: [],
  }
}

/** What is answered without standing in a list of routes. */
const others: readonly Omit<Target, 'json' | 'nonce' | 'identity' | 'fields' | 'own'>[] = [
  { name: 'GET media', methods: ['GET'], path: '/media/:file' },
  { name: 'GET assets', methods: ['GET'], path: '/assets/:file' },
  { name: 'GET healthz', methods: ['GET'], path: '/healthz' },
  { name: 'GET readyz', methods: ['GET'], path: '/readyz' },
  { name: 'unknown rest', methods: ['GET', 'POST'], path: '/wp-json/:file' },
  { name: 'unknown wc-ajax', methods: ['GET', 'POST'], path: '/?wc-ajax=:file' },
  { name: 'unknown admin-ajax', methods: ['GET', 'POST'], path: `${urls.adminAjax}?action=:file` },
]

/** What is read of the whole query at once, where no single name is asked for. */
function queryOf(path: string): readonly string[] {
  if (path === '/statistics/') return Object.keys(readStatisticsInput.shape)
  if (path === '/translate/texts/') return ['language', 'status', 'area', 's', 'paged', 'saved', 'approved']
  return /^\/(?:$|shop|product-category|product-tag)/.test(path) ? listingNames : []
}

/** Every route there is. */
export const targets: readonly Target[] = [
  ...calls.map(targetOfCall),
  ...pageRoutes.map(
    ({ method, path, identity }): Target => ({
      name: `${method} ${path}`,
      methods: [method],
      path,
      json: false,
      identity,
      nonce: null,
      own: [...(formFields[path] ?? []), ...queryOf(path)],
      fields: anything([...(formFields[path] ?? []), ...queryOf(path), ...pageNames]),
    }),
  ),
  ...others.map(
    (other): Target => ({
      ...other,
      json: false,
      identity: 'anyone',
      nonce: null,
      fields: anything(pageNames),
      own: [],
    }),
  ),
]
