import { z } from 'zod'
import { defaultWishes } from '#domain/addresses/address-fields.ts'
import { isCountry } from '#domain/addresses/countries.ts'

const country = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCountry, { error: ({ input }) => `${input} is no country: write its two letters, like DE` })

/** Allowed countries: an empty list means all, and `except` all others. */
const countries = z.union(
  [z.array(country), z.strictObject({ except: z.array(country).min(1) })],
  'must be a list of country codes like ["US", "DE"], or {"except": ["CH"]}',
)

export type OfferedCountries = z.infer<typeof countries>

export const sellToSetting = countries.default([]).describe('country codes; empty: everywhere')

export const shipToSetting = countries
  .nullable()
  .default(null)
  .describe('null: same as sellTo; empty: everywhere. To disable shipping: shipping.enabled')

export const defaultLocationSetting = z
  .enum(['none', 'base'])
  .default('base')
  .describe('assumed location of a visitor without an address; base: the shop’s own state')

const wish = z.enum(['hidden', 'optional', 'required'])

/** The merchant's settings for optional fields. */
export const addressFieldsSetting = z
  .object({
    company: wish.default(defaultWishes.company),
    address_2: wish.default(defaultWishes.address_2),
    phone: wish.default(defaultWishes.phone),
  })
  .prefault({})
