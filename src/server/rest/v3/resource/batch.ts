import { z } from 'zod'
import type { V3Context } from './v3-call.ts'
import { V3Error } from './v3-error.ts'
import type { V3Record } from './v3-resource.ts'

const mostElements = 100

const element = z.record(z.string(), z.unknown())

/** `POST wc/v3/<group>/batch`. Elements are parsed one by one, so that each fault is reported beside its element. */
export const batchInput = z.looseObject({
  create: z.array(element).default([]),
  update: z.array(element).default([]),
  // Programs send numbers; a few send texts.
  delete: z.array(z.union([z.number(), z.string()])).default([]),
})

const failure = z.object({
  id: z.union([z.number(), z.string()]),
  error: z.object({
    code: z.string(),
    message: z.string(),
    data: z.looseObject({ status: z.number() }),
  }),
})

/** Schema of a batch's answer: its lists are present if the request has them. */
export const batchOutput = (item: z.ZodType) => {
  const results = z.array(z.union([failure, item])).optional()
  return z.object({ create: results, update: results, delete: results })
}

type Operations<Item, Id, Create, Update> = {
  create?: { input: z.ZodType<Create>; run(context: V3Context, input: Create): Promise<Item> }
  update?: { input: z.ZodType<Update>; run(context: V3Context, id: Id, input: Update): Promise<Item> }
  remove?: { run(context: V3Context, id: Id, options: { force: boolean }): Promise<Item> }
}

/**
 * Applies the elements of a batch one at a time, each in its own transaction: a failed element leaves the others.
 * Deletions are final, as in the interface.
 * @throws V3Error 413 beyond 100 elements
 */
export async function applyBatch<Item extends V3Record, Id, Create, Update>(
  { create, update, remove }: Operations<Item, Id, Create, Update>,
  context: V3Context,
  batch: z.output<typeof batchInput>,
  idOf: (input: { id?: unknown }) => Id,
  linked: (record: Item) => unknown,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const size = batch.create.length + batch.update.length + batch.delete.length
  if (size > mostElements) {
    throw new V3Error(
      413,
      'woocommerce_rest_request_entity_too_large',
      `Unable to accept more than ${mostElements} items for this request.`,
    )
  }
  const each = async <Element>(elements: readonly Element[], run: (element: Element) => Promise<Item>) => {
    const results: unknown[] = []
    for (const element of elements) {
      results.push(await run(element).then(linked, (error: unknown) => failureOf(error, element)))
    }
    return results
  }
  const answers: [string, readonly unknown[]][] = []
  if (batch.create.length > 0) {
    const results = await each(batch.create, async (input) => {
      if (!create) throw unsupported()
      return create.run(context, parsed(create.input, { ...context.path, ...input }))
    })
    answers.push(['create', results])
  }
  if (batch.update.length > 0) {
    const results = await each(batch.update, async (input) => {
      if (!update) throw unsupported()
      const id = idOf(input)
      return update.run(context, id, parsed(update.input, { ...context.path, ...input }))
    })
    answers.push(['update', results])
  }
  if (batch.delete.length > 0) {
    const results = await each(batch.delete, async (id) => {
      if (!remove) throw unsupported()
      return remove.run(context, idOf({ id }), { force: true })
    })
    answers.push(['delete', results])
  }
  return Object.fromEntries(answers)
}

const unsupported = () => new V3Error(404, 'rest_no_route', 'No route was found matching the URL and request method.')

function parsed<Value>(input: z.ZodType<Value>, given: unknown): Value {
  const read = input.safeParse(given)
  if (read.success) return read.data
  const faults = Object.entries(z.flattenError(read.error).fieldErrors as Record<string, string[] | undefined>)
  const params = Object.fromEntries(faults.map(([name, problems]) => [name, problems?.[0] ?? 'is not valid']))
  throw new V3Error(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, params)
}

function failureOf(error: unknown, element: unknown): z.output<typeof failure> {
  if (!(error instanceof V3Error)) throw error
  const given = typeof element === 'object' && element !== null && 'id' in element ? element.id : element
  const id = typeof given === 'number' || typeof given === 'string' ? given : 0
  return { id, error: error.body }
}
