import { z } from 'zod'
import { idInput } from './number-text.ts'

/** Data that a program attaches to a record, as it is answered. */
export const metaDataRecord = z.array(z.looseObject({ id: z.number().int(), key: z.string(), value: z.unknown() }))

/** The same as it is written: an entry with an id, or with the key of an existing one, replaces it; null deletes it. */
export const metaDataInput = z
  .array(
    z.looseObject({
      id: idInput.optional().catch(undefined),
      key: z.string().trim().max(255).default(''),
      value: z.unknown(),
    }),
  )
  .max(200)

export type MetaDataInput = z.output<typeof metaDataInput>

/** An amount in the formats of programs: `"12.50"`, `12.5`. */
export const amountText = z
  .union([z.string().trim(), z.number()])
  .transform(String)
  .refine((text) => /^-?\d{1,13}(?:\.\d{0,20})?$/.test(text), 'must be an amount like 12.50')

/** Names of a record's times: local and in UTC. */
export const moments = <Name extends string>(name: Name) => {
  const time = z.string().nullable()
  // One key for the local time, one for UTC.
  return { [name]: time, [`${name}_gmt`]: time } as Record<Name | `${Name}_gmt`, typeof time>
}
