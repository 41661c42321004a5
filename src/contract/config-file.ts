import { z } from 'zod'
import type { CouponInput } from './coupons/settings.ts'
import { figure, percentText, texts } from './shared/merchant-rules.ts'
import type { shopSettings } from './shared/settings.ts'
import type { ZoneInput } from './shipping/settings.ts'
import type { TaxRateColumn, TaxRateFields } from './tax/tax-rates-csv.ts'

/** A tax rate in the merchant's notation. Empty members match any place. */
export const writtenTaxRate = z.strictObject({
  country: z.string().default(''),
  state: z.string().default(''),
  /** `94110`, `CB23*`, `94102...94134` */
  postcodes: texts.default([]),
  cities: texts.default([]),
  /** In percent: `19`, `7.25`. */
  rate: figure,
  name: z.string().default('Tax'),
  /** A single rate applies for each priority. */
  priority: figure.default('1'),
  /** Compound: also applies to the taxes of earlier priorities. */
  compound: z.boolean().default(false),
  shipping: z.boolean().default(true),
  class: z.string().default(''),
})

export type WrittenTaxRate = z.output<typeof writtenTaxRate>

type SettingsInput = z.input<typeof shopSettings>

/**
 * The declarations of a `shop.config.ts`. Missing members stay unchanged; `taxRates` and `shippingZones` are whole tables,
 * which delete entries that they do not contain.
 */
export type ShopConfig = {
  readonly settings?: Omit<SettingsInput, 'fees' | 'swatches'>
  readonly taxRates?: readonly z.input<typeof writtenTaxRate>[]
  /** In matching order. */
  readonly shippingZones?: readonly ZoneInput[]
  readonly coupons?: readonly CouponInput[]
  readonly fees?: NonNullable<SettingsInput['fees']>
  readonly swatches?: NonNullable<SettingsInput['swatches']>
}

/** `export default defineShop({ … })`: gives the editor the names and types of everything that can be declared. */
export function defineShop(config: ShopConfig): ShopConfig {
  return config
}

/** Parts with separate validation of their members are passed unchanged. */
export const configFile = z.strictObject(
  {
    settings: z.record(z.string(), z.unknown(), 'must be an object').optional(),
    taxRates: z.array(z.unknown(), 'must be a list').optional(),
    shippingZones: z.array(z.unknown(), 'must be a list').optional(),
    coupons: z.array(z.unknown(), 'must be a list').optional(),
    fees: z.unknown().optional(),
    swatches: z.unknown().optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)

/** Returns the cell of a written tax rate in a CSV file. */
export function taxRateCell(rate: WrittenTaxRate, column: TaxRateColumn): string {
  return cells[column](rate)
}

const cells: Readonly<Record<TaxRateColumn, (rate: WrittenTaxRate) => string>> = {
  'Country code': ({ country }) => country,
  'State code': ({ state }) => state,
  'Postcode / ZIP': ({ postcodes }) => postcodes.join(';'),
  City: ({ cities }) => cities.join(';'),
  'Rate %': ({ rate }) => rate,
  'Tax name': ({ name }) => name,
  Priority: ({ priority }) => priority,
  Compound: ({ compound }) => (compound ? '1' : '0'),
  Shipping: ({ shipping }) => (shipping ? '1' : '0'),
  'Tax class': (rate) => rate.class,
}

/** The member of a written tax rate for each column. */
export const taxRateMember: Readonly<Record<TaxRateColumn, keyof WrittenTaxRate>> = {
  'Country code': 'country',
  'State code': 'state',
  'Postcode / ZIP': 'postcodes',
  City: 'cities',
  'Rate %': 'rate',
  'Tax name': 'name',
  Priority: 'priority',
  Compound: 'compound',
  Shipping: 'shipping',
  'Tax class': 'class',
}

/** Converts a stored rate to the merchant's notation: the same rate always has the same form. */
export function canonicalTaxRate(stored: TaxRateFields): WrittenTaxRate {
  const { country, state, postcodes, cities, ratePpm, name, priority, compound, shipping } = stored
  return {
    country,
    state,
    postcodes: [...postcodes],
    cities: [...cities],
    rate: percentText(ratePpm),
    name,
    priority: String(priority),
    compound,
    shipping,
    class: stored.class,
  }
}
