import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import type { Operation, Parameter } from '#server/rest/openapi/describe-call.ts'
import type { JsonSchema } from '#server/rest/openapi/json-schema.ts'
import { makeApiKey } from '#shop/operations/api-keys.ts'
import { described, faultsOf } from '#tests/support/rest/described-answers.ts'
import { size } from '#tests/support/size.ts'
import { aPeopledShop, keepAside, type PeopledShop } from '../support/people.ts'
import { type KnownValues, mutated, validValues } from './schema-values.ts'

// M9: each call of the OpenAPI document is asked for what the document allows, and for what it nearly allows, by callers who may and
// by others. Each answer is one that the document has, and no failure. Again: `SEED=7 vitest run tests/security/fuzz/described.test.ts`.

const runs = size(8, 200)
const { document } = described()

type Way = { readonly headers: Readonly<Record<string, string>> }
type Asked = {
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly way: number
}

let peopled: PeopledShop
let known: KnownValues = { ids: [1, 2, 3], texts: ['MUG'] }
let ways: readonly Way[] = []
let failures: string[] = []

const nothing = () => undefined
const log: Log = {
  info: nothing,
  warn: nothing,
  error: (facts, message) => {
    if (/^(?:request failed|database did not answer)$/.test(message)) failures.push(`${facts.error} ${facts.stack}`)
  },
}

beforeAll(async () => {
  peopled = await aPeopledShop({ environment: { log } })
  await keepAside(peopled)
  const { shop, things, people } = peopled
  const { tools } = shop.shop.application
  const keyed = async (permission: 'read' | 'read_write') => {
    const key = await makeApiKey(tools, { description: permission, permission, who: 'tester' })
    const pair = `${key.consumerKey}:${key.consumerSecret}`
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
  }
  const staff = people['shop manager']
  const writer = await keyed('read_write')
  // Most requests come from who may make them: what lies behind is what can break.
  ways = [
    writer,
    writer,
    writer,
    { headers: { ...staff.headers, 'x-wp-nonce': staff.nonce('wp_rest') } },
    { headers: await tokenHeaders() },
    await keyed('read'),
    { headers: {} },
  ]
  const products = await Promise.all(['MUG', 'SHIRT', 'SHIRT-SAND'].map((sku) => shop.idOf(sku)))
  known = {
    ids: [...products, things.orderId, things.ownerId, things.managerId, things.pictureId, 1, 2],
    texts: [
      'MUG',
      'SHIRT-SAND',
      'ten',
      'US',
      'US:CA',
      'USD',
      'mug',
      'flat_rate:1',
      'cod',
      '10.50',
      '2026-01-01T00:00:00',
    ],
  }
}, 180_000)
afterAll(() => peopled?.shop.close())

/** A cart of a program; none where the shop has no Store API. */
async function tokenHeaders(): Promise<Record<string, string>> {
  const answer = await peopled.shop.shop.app(new Request(`${peopled.shop.url}/wp-json/wc/store/v1/cart`), {
    ip: '127.0.0.1',
  })
  await answer.text()
  const token = answer.headers.get('cart-token')
  return token === null ? {} : { 'cart-token': token }
}

const operations = Object.entries(document.paths).flatMap(([path, byMethod]) => {
  // PUT, POST and PATCH of a record are one call.
  const seen = new Set<string>()
  return Object.entries(byMethod).flatMap(([method, operation]) => {
    const same = `${operation.summary} ${JSON.stringify(operation.requestBody ?? '')}`
    if (seen.has(same)) return []
    seen.add(same)
    return [[`${method.toUpperCase()} ${path}`, method, path, operation] as const]
  })
})

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Requests of one operation. */
function requests({ parameters, requestBody }: Operation): fc.Arbitrary<Asked> {
  const { schemas } = document.components
  const values = (schema: JsonSchema) => validValues(schema, schemas, known)
  const ofPlace = (place: Parameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === place)
    return fc.record(Object.fromEntries(own.map(({ name, schema }) => [name, values(schema)] as const)), {
      requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
    })
  }
  const schema = requestBody?.content['application/json']?.schema
  const body = schema ? values(schema) : fc.constant(undefined)
  const members = body.filter(isMembers)
  const query = ofPlace('query').filter(isMembers)
  return fc.record({
    path: ofPlace('path').filter(isMembers),
    query: fc.oneof({ weight: 2, arbitrary: query }, { weight: 1, arbitrary: mutated(query) }),
    body: schema
      ? fc.oneof(
          { weight: 4, arbitrary: body },
          { weight: 3, arbitrary: mutated(members) },
          { weight: 1, arbitrary: fc.jsonValue() },
        )
      : fc.constant(undefined),
    way: fc.nat(6),
  })
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return [[name, value.map(asText).join(',')]]
    if (isMembers(value)) return Object.entries(value).map(([member, inner]) => [`${name}[${member}]`, asText(inner)])
    return [[name, asText(value)]]
  })
  return new URLSearchParams(pairs).toString()
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

async function ask(method: string, template: string, { path, query, body, way }: Asked): Promise<string[]> {
  const { shop } = peopled
  const place = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asText(path[name]).toWellFormed()),
  )
  const headers = { ...ways[way]?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const request = new Request(`${shop.url}${place}?${queryText(query)}`, {
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  failures = []
  const answer = await shop.shop.app(request, { ip: '127.0.0.1' })
  const text = await answer.text()
  const wrong = [...failures.map((failure) => `the shop failed: ${failure.slice(0, 900)}`)]
  if (answer.status >= 500 && answer.status !== 501 && answer.status !== 503)
    wrong.push(`${answer.status}: ${text.slice(0, 300)}`)
  return [...wrong, ...faultsOf(request, answer, text)]
}

describe('M9 fuzzed by its description', () => {
  it.each(operations)(
    '%s: no failure, and no answer outside of the description',
    async (name, method, path, operation) => {
      await peopled.shop.db.sql`delete from rate_limits`
      await fc.assert(
        fc.asyncProperty(requests(operation), async (asked) => {
          const wrong = await ask(method, path, asked)
          expect(wrong, `${name} ${JSON.stringify(asked).slice(0, 1500)}`).toEqual([])
        }),
        { numRuns: runs, endOnFailure: true },
      )
    },
  )
})
