import type { CurrencySetting } from '#contract/currency/settings.ts'
import { type Checked, issueText, keyOf, type RuleFault } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { readSettings } from '../operations/settings/shop-configuration.ts'
import { unworkableOf } from '../operations/settings/unusable-settings.ts'
import type { Tools } from '../shared/tools.ts'
import { currencyFaults } from './offered-currencies.ts'

/** Changes of an entry, as typed; missing members stay unchanged. */
export type CurrencyChange = {
  readonly [Member in Exclude<keyof CurrencySetting, 'code' | 'fee' | 'rounding'>]?: unknown
} & {
  readonly fee?: { readonly type?: string; readonly value?: unknown }
  readonly rounding?: { readonly type?: string; readonly step?: unknown; readonly subtract?: unknown }
}

/** Changes the entry of a currency, or appends one; it is saved if it is valid. */
export async function setCurrency(
  { db }: Pick<Tools, 'db'>,
  code: string,
  change: CurrencyChange,
): Promise<Checked<{ readonly entry: CurrencySetting; readonly isNew: boolean }>> {
  const { checked } = await updateSettings(db, (stored) => {
    const checked = withCurrency(readSettings(stored), code, change)
    return checked.ok ? { checked, write: { currencies: checked.value.list } } : { checked }
  })
  if (!checked.ok) return checked
  const { entry, isNew } = checked.value
  return { ok: true, value: { entry, isNew } }
}

function withCurrency(
  settings: ShopSettings,
  code: string,
  change: CurrencyChange,
): Checked<{ list: ShopSettings['currencies']; entry: CurrencySetting; isNew: boolean }> {
  const before = settings.currencies.find((entry) => entry.code === code)
  const merged = {
    ...before,
    ...change,
    code,
    ...(change.fee ? { fee: { ...before?.fee, ...change.fee } } : {}),
    ...(change.rounding ? { rounding: { ...before?.rounding, ...change.rounding } } : {}),
  }
  const list = before
    ? settings.currencies.map((entry) => (entry === before ? merged : entry))
    : [...settings.currencies, merged]
  const checked = checkList(settings, list, list.indexOf(merged))
  if (!checked.ok) return checked
  const entry = checked.value.find((one) => one.code === code)
  if (!entry) throw new Error(`currency entry ${code} not found`)
  return { ok: true, value: { list: checked.value, entry, isNew: before === undefined } }
}

/** @returns whether the entry existed */
export async function removeCurrency({ db }: Pick<Tools, 'db'>, code: string): Promise<boolean> {
  const { gone } = await updateSettings(db, (stored) => {
    const { currencies } = readSettings(stored)
    const left = currencies.filter((entry) => entry.code !== code)
    return left.length === currencies.length ? { gone: false } : { gone: true, write: { currencies: left } }
  })
  return gone
}

function checkList(
  settings: ShopSettings,
  list: readonly unknown[],
  changed: number,
): Checked<ShopSettings['currencies']> {
  const parsed = shopSettings.shape.currencies.safeParse(list)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue): RuleFault => {
      const [at, ...members] = issue.path
      const message = issueText(issue)
      const elsewhere = at === changed || at === undefined ? [] : [`currencies[${String(at)}]`]
      return { key: [...elsewhere, ...members].join('.'), problem: message }
    })
    return { ok: false, faults }
  }
  const entry = parsed.data[changed]
  const faults = currencyFaults({ currency: settings.currency, currencies: entry ? [entry] : [] })
  if (faults.length > 0) return { ok: false, faults: faults.map(({ problem }) => ({ key: '', problem })) }
  const unworkable = unworkableOf({ ...settings, currencies: parsed.data }, [['currencies', changed]])
  if (unworkable.length > 0)
    return { ok: false, faults: unworkable.map(({ path, problem }) => ({ key: keyOf(path.slice(2)), problem })) }
  return { ok: true, value: parsed.data }
}
