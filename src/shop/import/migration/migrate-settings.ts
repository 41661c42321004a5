import { type Kysely, sql } from 'kysely'
import { type SourceSettingValue, sourceIndex, sourceSetting } from '#contract/import/source/source-rules.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { changedSetting, readSetting } from '../../operations/settings/change-setting.ts'
import { readSettings } from '../../operations/settings/shop-configuration.ts'
import { plainName } from './cell-text.ts'
import { type MigrationRun, sourceRecords } from './migration-run.ts'

/** Settings of the other shop by their ID there. */
export type SourceSettings = ReadonlyMap<string, SourceSettingValue>

const groups = ['general', 'tax', 'products', 'account', 'shipping'] as const

/** Reads the settings of the other shop, with its name and time zone under IDs of our own. */
export async function readSourceSettings(run: MigrationRun): Promise<SourceSettings> {
  const settings = new Map<string, SourceSettingValue>()
  for (const group of groups) {
    const options = { kind: 'settings', path: `settings/${group}`, counted: false }
    // A setting of a plug-in may have any value: only those with a counterpart are looked at.
    for (const { id, value } of await sourceRecords(run, options, sourceSetting.nullable().catch(null)).then(present))
      settings.set(id, value)
  }
  const index = sourceIndex.safeParse(await run.source.readIndex())
  if (index.success) {
    const { name, description, timezone_string: zone } = index.data
    if (name !== '') settings.set('blogname', plainName(name))
    if (description !== '') settings.set('blogdescription', plainName(description))
    if (isTimeZone(zone)) settings.set('timezone_string', zone)
  }
  return settings
}

function present<Value>(values: readonly (Value | null)[]): Value[] {
  return values.filter((value): value is Value & {} => value !== null)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}

type Counterpart = { readonly key: string; readonly value: (given: string) => unknown }

const flag = (key: string): Counterpart => ({
  key,
  value: (given) => (given === 'yes' ? true : given === 'no' ? false : undefined),
})
const text = (key: string): Counterpart => ({ key, value: (given) => given })
const count = (key: string): Counterpart => ({
  key,
  value: (given) => (/^\d{1,9}$/.test(given) ? Number(given) : undefined),
})
const choice = (key: string, words: Readonly<Record<string, unknown>>): Counterpart => ({
  key,
  value: (given) => (Object.hasOwn(words, given) ? words[given] : undefined),
})
const same = (...words: readonly string[]) => Object.fromEntries(words.map((word) => [word, word]))

/** Settings with one counterpart. Their values at the source are texts. */
const counterparts: Readonly<Record<string, Counterpart>> = {
  blogname: text('name'),
  blogdescription: text('tagline'),
  timezone_string: text('timeZone'),
  woocommerce_currency: text('currency'),
  woocommerce_currency_pos: choice('priceFormat.position', same('left', 'right', 'left_space', 'right_space')),
  woocommerce_price_thousand_sep: text('priceFormat.thousandSeparator'),
  woocommerce_price_decimal_sep: text('priceFormat.decimalSeparator'),
  woocommerce_price_num_decimals: count('priceFormat.decimals'),
  woocommerce_store_city: text('base.city'),
  woocommerce_store_postcode: text('base.postcode'),
  woocommerce_calc_taxes: flag('taxes.enabled'),
  woocommerce_prices_include_tax: flag('taxes.pricesIncludeTax'),
  woocommerce_tax_based_on: choice('taxes.basedOn', same('shipping', 'billing', 'base')),
  woocommerce_tax_round_at_subtotal: flag('taxes.roundAtSubtotal'),
  woocommerce_tax_display_shop: choice('taxes.displayShop', same('incl', 'excl')),
  woocommerce_tax_display_cart: choice('taxes.displayCart', same('incl', 'excl')),
  woocommerce_tax_total_display: choice('taxes.itemised', { itemized: true, single: false }),
  woocommerce_price_display_suffix: text('taxes.priceSuffix'),
  woocommerce_shipping_tax_class: text('taxes.shippingClass'),
  woocommerce_enable_coupons: flag('couponsEnabled'),
  woocommerce_calc_discounts_sequentially: flag('coupons.sequential'),
  woocommerce_notify_low_stock_amount: count('lowStockAmount'),
  woocommerce_notify_no_stock_amount: count('outOfStockAmount'),
  woocommerce_hide_out_of_stock_items: flag('hideOutOfStock'),
  woocommerce_stock_format: choice('stockFormat', { '': 'always', low_amount: 'low', no_amount: 'never' }),
  woocommerce_hold_stock_minutes: count('holdStockMinutes'),
  woocommerce_cart_redirect_after_add: flag('redirectAfterAdd'),
  woocommerce_enable_ajax_add_to_cart: flag('ajaxAdd'),
  woocommerce_enable_guest_checkout: flag('accounts.guestCheckout'),
  woocommerce_enable_checkout_login_reminder: flag('accounts.logInAtCheckout'),
  woocommerce_enable_signup_and_login_from_checkout: flag('accounts.registrationAtCheckout'),
  woocommerce_enable_myaccount_registration: flag('accounts.registration'),
  woocommerce_registration_generate_username: flag('accounts.generateUsername'),
  woocommerce_shipping_cost_requires_address: flag('shipping.hideUntilAddress'),
  woocommerce_shipping_hide_rates_when_free: flag('shipping.hideOthersWhenFree'),
}

/** Returns the values that the settings would have here, by our keys, in a fixed order. */
export function ownSettings(source: SourceSettings): Map<string, unknown> {
  const own = new Map<string, unknown>()
  for (const [id, { key, value }] of Object.entries(counterparts)) {
    const given = source.get(id)
    const wanted = typeof given === 'string' ? value(given) : undefined
    if (wanted !== undefined) own.set(key, wanted)
  }
  const [country = '', state = ''] = String(source.get('woocommerce_default_country') ?? '').split(':')
  if (/^[A-Z]{2}$/.test(country)) {
    own.set('base.country', country)
    own.set('base.state', state === '*' ? '' : state)
  }
  const sellTo = countries(
    source.get('woocommerce_allowed_countries'),
    source.get('woocommerce_specific_allowed_countries'),
    source.get('woocommerce_all_except_countries'),
  )
  if (sellTo !== undefined) own.set('sellTo', sellTo)
  const shipping = source.get('woocommerce_ship_to_countries')
  if (shipping === 'disabled') own.set('shipping.enabled', false)
  else if (shipping === '') own.set('shipTo', null)
  else {
    const shipTo = countries(shipping, source.get('woocommerce_specific_ship_to_countries'), undefined)
    if (shipTo !== undefined) own.set('shipTo', shipTo)
  }
  return own
}

function countries(
  mode: SourceSettingValue | undefined,
  specific: SourceSettingValue | undefined,
  except: SourceSettingValue | undefined,
): unknown {
  if (mode === 'all') return []
  if (mode === 'specific' && Array.isArray(specific) && specific.length > 0) return specific
  if (mode === 'all_except') return Array.isArray(except) && except.length > 0 ? { except } : []
  return undefined
}

/**
 * Takes over settings with a counterpart, once: a repeated migration leaves the merchant's later changes. A value that is
 * not possible here becomes a difference.
 */
export async function migrateSettings(run: MigrationRun, source: SourceSettings): Promise<void> {
  const { report, options } = run
  const { db, pageSlugs } = run.tools()
  const wanted = ownSettings(source)
  report.found('settings', wanted.size)
  const earlier = await run.known('settings', [...wanted.keys()])
  const fixedCurrency = await hasPrices(db.kysely)
  await updateSettings(db, async (stored) => {
    let settings = readSettings(stored, 'left-out')
    const write: Record<string, unknown> = {}
    const failed = new Map<string, string>()
    const apply = ([key, value]: readonly [string, unknown]) => {
      const before = readSetting(settings, key).value
      failed.delete(key)
      if (earlier.has(key) || JSON.stringify(before) === JSON.stringify(value)) return report.known('settings')
      if (key === 'currency' && fixedCurrency)
        return report.left('settings', key, `stays ${String(before)}: products or orders here have amounts in it`)
      const changed = changedSetting(settings, key, JSON.stringify(value), pageSlugs())
      if (!changed.ok) return failed.set(key, changed.problem)
      settings = changed.settings
      write[changed.name] = changed.value
      report.setting({ key, before, after: value })
      report.added('settings')
    }
    for (const entry of wanted) apply(entry)
    // Some values are possible only with others: a decimal comma before thousands have points.
    for (const entry of [...wanted].filter(([key]) => failed.has(key))) apply(entry)
    for (const [key, problem] of failed) {
      const before = JSON.stringify(readSetting(settings, key).value ?? null)
      report.left('settings', key, `stays ${before}: ${problem}`)
    }
    if (options.dryRun) run.imagineSettings(settings)
    return options.dryRun ? {} : { write }
  })
  await run.record(
    'settings',
    [...wanted.keys()].map((key) => ({ sourceId: key, ownId: null })),
  )
  await run.refreshSettings()
}

/** Returns true if amounts of this shop are stored: they have its currency, and are not converted. */
async function hasPrices(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from products where regular_price is not null) or exists (select from orders) as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}
