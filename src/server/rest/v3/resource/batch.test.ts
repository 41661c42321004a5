import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { applyBatch, batchInput } from './batch.ts'
import type { V3Context } from './v3-call.ts'
import { unknownId, V3Error } from './v3-error.ts'

const records = new Map([[1, { id: 1, name: 'One' }]])
const input = z.looseObject({ name: z.string().min(2) })
const operations = {
  create: {
    input,
    run: async (_: V3Context, { name }: { name: string }) => {
      const record = { id: records.size + 1, name }
      records.set(record.id, record)
      return record
    },
  },
  update: {
    input: z.looseObject({ name: z.string().min(2).optional() }),
    run: async (_: V3Context, id: number, { name }: { name?: string | undefined }) => {
      const record = records.get(id)
      if (!record) throw unknownId('thing')
      const next = { ...record, ...(name ? { name } : {}) }
      records.set(id, next)
      return next
    },
  },
  remove: {
    run: async (_: V3Context, id: number) => {
      const record = records.get(id)
      if (!record) throw unknownId('thing')
      records.delete(id)
      return record
    },
  },
}
// The operations above read none of it.
const context = { path: {} } as V3Context
const idOf = ({ id }: { id?: unknown }) => Number(id)
const apply = (given: object) =>
  applyBatch(operations, context, batchInput.parse(given), idOf, (record) => ({ ...record, _links: {} }))

describe('a batch of REST v3', () => {
  it('applies each element, and reports a failed one in its place', async () => {
    const answer = await apply({
      create: [{ name: 'Two' }, { name: 'x' }],
      update: [{ id: 1, name: 'First' }, { id: 99 }],
      delete: [1, '98'],
    })
    expect(answer).toEqual({
      create: [
        { id: 2, name: 'Two', _links: {} },
        {
          id: 0,
          error: expect.objectContaining({
            code: 'rest_invalid_param',
            data: { status: 400, params: { name: expect.any(String) } },
          }),
        },
      ],
      update: [
        { id: 1, name: 'First', _links: {} },
        { id: 99, error: { code: 'woocommerce_rest_thing_invalid_id', message: 'Invalid ID.', data: { status: 404 } } },
      ],
      delete: [
        { id: 1, name: 'First', _links: {} },
        { id: '98', error: expect.objectContaining({ code: 'woocommerce_rest_thing_invalid_id' }) },
      ],
    })
  })

  it('is refused as a whole beyond 100 elements', async () => {
    const create = Array.from({ length: 101 }, () => ({ name: 'Many' }))
    await expect(apply({ create })).rejects.toThrow(V3Error)
    await expect(apply({ create })).rejects.toMatchObject({ status: 413 })
  })
})
