import { z } from 'zod'

const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })))

const linked = new WeakMap<z.ZodType, z.ZodType>()
const perhapsLinked = new WeakMap<z.ZodType, z.ZodType>()

/**
 * Returns the schema of a record with its links, and with the embedded records that `_embed` requests. The same schema
 * has the same result, so that the description of the API has one component for it.
 */
export const linkedRecord = (item: z.ZodType): z.ZodType =>
  extended(item, linked, { _links: links, _embedded: z.record(z.string(), z.unknown()).optional() })

/** Returns the schema of the answer of a single route, whose records may have links. */
export function perhapsLinkedAnswer(output: z.ZodType): z.ZodType {
  const record = (item: z.ZodType) => extended(item, perhapsLinked, { _links: links.optional() })
  return output instanceof z.ZodArray ? z.array(record(output.element as z.ZodType)) : record(output)
}

function extended(item: z.ZodType, known: WeakMap<z.ZodType, z.ZodType>, members: z.ZodRawShape): z.ZodType {
  if (!(item instanceof z.ZodObject) || '_links' in item.shape) return item
  const before = known.get(item)
  if (before) return before
  const made = item.safeExtend(members)
  known.set(item, made)
  return made
}
