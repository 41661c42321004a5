import { latestRates, lockRates, type RateRow, ratesOfDay, saveRate } from '#database/currency/exchange-rates.ts'
import { transaction } from '#database/engine/connect.ts'
import type { RateSource } from '#database/engine/schema/currency.ts'
import { configurationChanged } from '#database/operations/configuration.ts'
import { changePercent, crossRates, type DayRates, isJump } from '#domain/currency/rates.ts'
import type { Tools } from '../shared/tools.ts'

export type RateTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'network' | 'log' | 'settings'>

/** The result for one currency whose rate is set to `auto`. */
export type AutomaticRate = {
  readonly code: string
  readonly outcome: /** Saved, and used unless a newer one exists. */
    | 'taken'
    /** Known already. */
    | 'same'
    /** Changed by more than the merchant's limit: saved for review, the previous one stays in use. */
    | 'refused'
    /** Not among the rates. */
    | 'missing'
  /** '' if it is missing. */
  readonly rate: string
  readonly changedPercent: string | null
}

export type AutomaticRates =
  | { readonly ok: true; readonly day: string; readonly rates: readonly AutomaticRate[] }
  | { readonly ok: false; readonly fault: string }

const dayMs = 24 * 60 * 60_000

/** Returns the codes of automatic rates, in the merchant's order. */
export function automaticCodes({ currency, currencies }: Tools['settings']): readonly string[] {
  return currencies.filter(({ code, rate }) => rate === 'auto' && code !== currency).map(({ code }) => code)
}

/**
 * Saves a source's rates of the automatic currencies, converted to the shop's own currency, and notifies every process
 * of changes. Currencies missing in the source keep their rates, which grow old.
 * @param accept true to use rates however much they have changed
 */
export async function saveAutomaticRates(
  tools: RateTools,
  given: DayRates,
  { source, accept }: { source: RateSource; accept: boolean },
): Promise<AutomaticRates> {
  const { settings, clock } = tools
  const now = clock.now()
  // A day further ahead than any time zone would count as the newest until it has come, and hide all later ones.
  if (Date.parse(`${given.day}T00:00:00Z`) > now.getTime() + dayMs)
    return { ok: false, fault: `${given.day} has not come yet` }
  const own = crossRates(given, settings.currency)
  if (!own) return { ok: false, fault: `there is no rate of ${settings.currency}, the shop's own currency, in it` }

  const { rates, jumped } = await transaction(tools, async (tx) => {
    await lockRates(tx)
    const place = { base: own.base, day: own.day, source }
    const known = new Map((await latestRates(tx)).flatMap((row) => (row.base === own.base ? [[row.code, row]] : [])))
    const before = new Map((await ratesOfDay(tx, place)).map((row) => [row.code, row]))
    const taken: AutomaticRate[] = []
    const jumped: object[] = []
    for (const code of automaticCodes(settings)) {
      const rate = own.rates.get(code)
      if (rate === undefined) {
        taken.push({ code, outcome: 'missing', rate: '', changedPercent: null })
        continue
      }
      const last: RateRow | undefined = known.get(code)
      const changedPercent = last ? changePercent(last.rate, rate) : null
      const stored = before.get(code)
      const jumps = !accept && last !== undefined && isJump(last.rate, rate, settings.exchange.rates.maxJumpPercent)
      if (stored?.rate === rate && (stored.refused === jumps || !stored.refused)) {
        taken.push({ code, outcome: stored.refused ? 'refused' : 'same', rate, changedPercent })
        continue
      }
      // A good rate of the same day is not replaced by a refused one.
      if (!jumps || !stored || stored.refused)
        await saveRate(tx, { ...place, code, rate, refused: jumps, fetched_at: now })
      taken.push({ code, outcome: jumps ? 'refused' : 'taken', rate, changedPercent })
      if (jumps) jumped.push({ currency: code, rate, day: own.day, changedPercent, inUse: last.rate, of: last.day })
    }
    if (taken.some(({ outcome }) => outcome === 'taken')) await configurationChanged(tx)
    return { rates: taken, jumped }
  })
  for (const facts of jumped) tools.log.warn({ ...facts }, 'exchange rate refused: changed by more than the limit')
  return { ok: true, day: own.day, rates }
}
