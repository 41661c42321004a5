import type { StoredAssets } from '#contract/shared/file-setting.ts'
import { schemaFaults } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { methodSettings } from '#contract/shipping/settings.ts'
import type { ShippingMethodRow, StoredConfiguration } from '#database/operations/configuration.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { formulaFault, type ShippingMethod } from '#domain/shipping/shipping-rates.ts'
import type { ShippingZone } from '#domain/shipping/shipping-zone.ts'
import type { TaxRateRow } from '#domain/tax/tax-rate.ts'
import { feeRules } from '../../cart/fee-rules.ts'
import { currencyFaults, type DatedRate, ratesFor } from '../../currency/offered-currencies.ts'
import { storedFiles } from './store-configured-files.ts'
import { unworkableRules, workableSettings } from './unusable-settings.ts'

/** The merchant's configuration as domain types. */
export type ShopConfiguration = {
  readonly settings: ShopSettings
  /** Stored variants of the files named in settings. */
  readonly files: StoredAssets
  readonly taxRates: readonly TaxRateRow[]
  readonly shippingZones: readonly (ShippingZone & { readonly methods: readonly ShippingMethod[] })[]
  /**
   * The newest accepted rate of each currency, for one unit of the shop's own. Its age determines whether it is used.
   */
  readonly rates: ReadonlyMap<string, DatedRate>
  /** Invalid rules. They apply to no cart, and break none. */
  readonly faults: readonly ConfigurationFault[]
}

/** `shipping method 4 "Flat rate"`, and its problem. */
export type ConfigurationFault = { readonly rule: string; readonly problem: string }

/** Stored settings that this release cannot parse: one line each, with the remedy. */
export class StoredSettingsError extends Error {
  override readonly name = 'StoredSettingsError'
}

/**
 * @param unreadable how to treat an invalid stored setting; `left-out`: as if not set
 * @throws StoredSettingsError naming all of them, unless they are left out
 */
export function shopConfiguration(
  { settings: stored, taxRates, shippingZones, rates }: StoredConfiguration,
  unreadable: 'refused' | 'left-out' = 'refused',
): ShopConfiguration {
  const read = readSettings(stored, unreadable)
  const settings = workableSettings(read)
  const faults: ConfigurationFault[] = [...unworkableRules(read)]
  faults.push(...feeRules(settings, noExchange(settings.currency)).faults)
  faults.push(...currencyFaults(settings))
  return {
    settings,
    files: storedFiles(stored),
    taxRates: taxRates.map(({ rate_ppm, ...row }) => ({ ...row, ratePpm: rate_ppm })),
    shippingZones: shippingZones.map((zone) => ({
      id: zone.id,
      order: zone.zone_order,
      countries: zone.countries,
      continents: zone.continents,
      postcodes: zone.postcodes,
      methods: zone.methods.flatMap((row) => {
        const read = shippingMethod(row, settings)
        if ('method' in read) return read
        faults.push({ rule: `shipping method ${row.instance_id} "${row.title}"`, ...read })
        return []
      }),
    })),
    rates: ratesFor(settings.currency, rates),
    faults,
  }
}

/** @throws StoredSettingsError as `shopConfiguration` does */
export function readSettings(
  stored: StoredConfiguration['settings'],
  unreadable: 'refused' | 'left-out' = 'refused',
): ShopSettings {
  const parsed = shopSettings.safeParse(stored)
  if (parsed.success) return parsed.data
  const faults = schemaFaults(parsed.error)
  const wrong = new Set(parsed.error.issues.map(({ path: [name] }) => name))
  if (unreadable === 'left-out')
    return shopSettings.parse(Object.fromEntries(Object.entries(stored).filter(([name]) => !wrong.has(name))))
  throw new StoredSettingsError(
    faults
      .map(
        ({ key, problem }) => `database: the setting ${key}: ${problem}. To set it: npm run shop -- settings ${key} …`,
      )
      .join('\n'),
  )
}

function shippingMethod(row: ShippingMethodRow, { currency }: ShopSettings): ShippingMethod | { problem: string } {
  const set = methodSettings.parse(row.settings)
  const shared = { instanceId: row.instance_id, title: row.title }
  const formulas = [
    ['cost', set.cost],
    ...Object.entries(set.classCosts).map(([name, text]) => [`cost of the class "${name}"`, text]),
  ]
  for (const [what = '', text = ''] of row.method === 'free_shipping' ? [] : formulas) {
    const problem = formulaFault(text, currency)
    if (problem) return { problem: `${what}: ${problem}` }
  }
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
      const minimum = set.min_amount === '' ? null : parseAmount(set.min_amount, currencyExponent(currency))
      // Without its minimum it would be free for all carts.
      if (minimum && !minimum.ok) return { problem: `minimum: "${set.min_amount}" is no amount in ${currency}` }
      return {
        ...shared,
        method: 'free_shipping',
        requires: set.requires || (minimum ? 'min_amount' : ''),
        minimum: minimum ? money(minimum.minor, currency) : null,
        ignoreDiscounts: set.ignoreDiscounts,
      }
    }
  }
}
