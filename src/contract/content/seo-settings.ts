import { z } from 'zod'

const address = z.string().regex(/^https?:\/\/\S+$/, 'must be a URL that starts with https://')

/** The merchant's data for search engines, besides the pages' own. */
export const findabilitySettings = z.object({
  company: z
    .object({
      legalName: z.string().trim().max(200).default(''),
      phone: z
        .string()
        .regex(/^(\+\d[\d ()-]{4,30})?$/, 'must be a number with its country code, like +1 415 555 0100')
        .default(''),
      profiles: z.array(address).max(20).default([]).describe('URLs of the shop’s profiles: social networks, …'),
    })
    .prefault({}),
  condition: z.enum(['new', 'refurbished', 'used']).default('new').describe('condition of the shop’s products'),
  returns: z
    .object({
      days: z.number().int().min(0).max(365).describe('0: no returns'),
      cost: z.enum(['free', 'customer']).default('customer').describe('who pays the return shipping'),
      countries: z
        .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code like US'))
        .max(50)
        .default([])
        .describe('empty: the country of the shop'),
    })
    .nullable()
    .default(null)
    .describe('null: no return policy for search engines'),
})

export type FindabilitySettings = z.output<typeof findabilitySettings>
