import { z } from 'zod'
import { type ShopSettings, shopSettings } from '#contract/settings.ts'
import type { ShippingMethodRow, StoredConfiguration } from '#database/configuration.ts'
import { money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import type { ShippingMethod } from '#domain/shipping/shipping-rates.ts'
import type { ShippingZone } from '#domain/shipping/shipping-zone.ts'
import type { TaxRateRow } from '#domain/tax/tax-rate.ts'

/** What the merchant has set up, in the words of the domain. */
export type ShopConfiguration = {
  readonly settings: ShopSettings
  readonly taxRates: readonly TaxRateRow[]
  readonly shippingZones: readonly (ShippingZone & { readonly methods: readonly ShippingMethod[] })[]
}

const methodSettings = z.object({
  cost: z.string().default(''),
  taxable: z.boolean().default(true),
  classCosts: z.record(z.string(), z.string()).default({}),
  classMode: z.enum(['class', 'order']).default('class'),
  requires: z.enum(['', 'coupon', 'min_amount', 'either', 'both']).default(''),
  /** A decimal text in the shop's currency. */
  min_amount: z.string().default(''),
  ignoreDiscounts: z.boolean().default(false),
})

/** @throws ZodError when a stored setting has a value that no release of the shop wrote */
export function shopConfiguration({
  settings: stored,
  taxRates,
  shippingZones,
}: StoredConfiguration): ShopConfiguration {
  const settings = shopSettings.parse(stored)
  return {
    settings,
    taxRates: taxRates.map(({ rate_ppm, ...row }) => ({ ...row, ratePpm: rate_ppm })),
    shippingZones: shippingZones.map((zone) => ({
      id: zone.id,
      order: zone.zone_order,
      countries: zone.countries,
      continents: zone.continents,
      postcodes: zone.postcodes,
      methods: zone.methods.map((row) => shippingMethod(row, settings)),
    })),
  }
}

function shippingMethod(row: ShippingMethodRow, { currency, priceFormat }: ShopSettings): ShippingMethod {
  const set = methodSettings.parse(row.settings)
  const shared = { instanceId: row.instance_id, title: row.title }
  switch (row.method) {
    case 'flat_rate':
      return {
        ...shared,
        method: 'flat_rate',
        taxable: set.taxable,
        cost: set.cost,
        classCosts: set.classCosts,
        classMode: set.classMode,
      }
    case 'local_pickup':
      return { ...shared, method: 'local_pickup', taxable: set.taxable, cost: set.cost }
    case 'free_shipping': {
      const minimum = set.min_amount === '' ? null : parseAmount(set.min_amount, priceFormat.decimals)
      return {
        ...shared,
        method: 'free_shipping',
        requires: set.requires || (minimum ? 'min_amount' : ''),
        minimum: minimum?.ok ? money(minimum.minor, currency) : null,
        ignoreDiscounts: set.ignoreDiscounts,
      }
    }
  }
}
