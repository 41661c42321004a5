import { z } from 'zod'

const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })))

const linked = new WeakMap<z.ZodType, z.ZodType>()

/**
 * Returns the schema of a record with its links, and with the embedded records that `_embed` requests. The same schema
 * has the same result, so that the description of the API has one component for it.
 */
export function linkedRecord(item: z.ZodType): z.ZodType {
  if (!(item instanceof z.ZodObject) || '_links' in item.shape) return item
  const before = linked.get(item)
  if (before) return before
  const made = item.safeExtend({ _links: links, _embedded: z.record(z.string(), z.unknown()).optional() })
  linked.set(item, made)
  return made
}
