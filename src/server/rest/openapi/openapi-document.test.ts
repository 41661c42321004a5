import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { paging, recordShape } from '#contract/shared/rest-input.ts'
import { calls } from '../../calls/shared/call-routes.ts'
import { v3Resource } from '../v3/resource/v3-resource.ts'
import { isDescribed, openApiDocument } from './openapi-document.ts'

const shop = { name: 'Test shop', publicUrl: 'https://shop.example' }
const unused = async (): Promise<never> => {
  throw new Error('not called here')
}
const item = z.object({ id: z.number().int(), name: z.string(), parent: z.string().nullable() })
const things = v3Resource({
  path: 'things/:thing_id/parts',
  title: 'part',
  item,
  list: { query: z.object({ ...paging, ...recordShape, status: z.array(z.string()).default([]) }), run: unused },
  get: unused,
  create: { input: z.looseObject({ name: z.string() }), run: unused },
  update: { input: z.looseObject({ name: z.string().optional() }), run: unused },
  remove: { trash: false, run: unused },
  batch: true,
})
const { paths, components, tags } = openApiDocument(things, shop)

describe('the description of the API', () => {
  it('is a valid OpenAPI 3.1 document, for all calls of the shop and for a group of REST v3', async () => {
    for (const list of [calls, things]) {
      const document = openApiDocument(list, shop)
      const { valid, errors } = await new Validator().validate(structuredClone(document))
      expect(errors ?? []).toEqual([])
      expect(valid).toBe(true)
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
      const ids = operations.map(({ operationId }) => operationId)
      expect(new Set(ids).size).toBe(ids.length)
      const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
      expect(refs.length).toBeGreaterThan(0)
      for (const [ref, kind = '', name = ''] of refs) {
        expect(Object.hasOwn(Object(document.components)[kind] ?? {}, name), ref).toBe(true)
      }
    }
  })

  it('has every call of the public namespaces, with each of its methods', () => {
    const document = openApiDocument(calls, shop)
    const described = ['wc/v3', 'wc/store/v1', 'wp/v2', 'vitrine/v1']
    const missing = calls.filter(
      (call) => call.door === 'rest' && described.includes(call.namespace ?? '') && !isDescribed(call),
    )
    expect(missing.map(({ namespace, name, method }) => `${method} ${namespace}/${name}`)).toEqual([])
    expect(Object.keys(document.paths['/wp-json/wp/v2/media/{id}'] ?? {}).toSorted()).toEqual([
      'delete',
      'get',
      'patch',
      'post',
      'put',
    ])
    expect(document.paths['/api/translate']?.post?.security).toEqual([])
  })

  it('lists the parameters of path and query, and puts those of a deletion into the address', () => {
    const list = paths['/wp-json/wc/v3/things/{thing_id}/parts']?.get
    expect(list?.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['thing_id', 'path', true],
      ['page', 'query', false],
      ['per_page', 'query', false],
      ['offset', 'query', false],
      ['context', 'query', false],
      ['_fields', 'query', false],
      ['_embed', 'query', false],
      ['status', 'query', false],
    ])
    expect(list?.parameters[2]?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
    expect(list?.parameters.at(-1)).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } })
    const removal = paths['/wp-json/wc/v3/things/{thing_id}/parts/{id}']?.delete
    expect(removal?.parameters.map(({ name }) => name)).toEqual(['thing_id', 'id', 'force'])
    expect(removal).not.toHaveProperty('requestBody')
    expect(Object.keys(removal?.responses ?? {}).toSorted()).toEqual(['200', '4XX', '500', '501', '503'])
  })

  it('describes a record once, with its links, strictly, and paging headers of its list', () => {
    const ref = { $ref: '#/components/schemas/V3ThingsParts' }
    const list = paths['/wp-json/wc/v3/things/{thing_id}/parts']
    expect(list?.get?.responses[200]).toMatchObject({
      headers: { 'X-WP-Total': { required: true }, 'X-WP-TotalPages': { required: true }, Link: {} },
      content: { 'application/json': { schema: { type: 'array', items: ref } } },
    })
    expect(list?.post?.responses[201]).toMatchObject({
      headers: { Location: {} },
      content: { 'application/json': { schema: ref } },
    })
    expect(list?.post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { properties: { name: { type: 'string' } }, required: ['name'] } } },
    })
    expect(components.schemas.V3ThingsParts).toMatchObject({
      required: ['id', 'name', 'parent', '_links'],
      additionalProperties: false,
      properties: { parent: { type: ['string', 'null'] } },
    })
    expect(tags).toEqual([{ name: 'wc/v3 things parts' }])
    expect(list?.get?.security).toHaveLength(4)
  })
})
