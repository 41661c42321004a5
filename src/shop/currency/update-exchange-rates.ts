import type { RatesState } from '#contract/currency/rates-state.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import {
  forgetRates,
  latestRates,
  lockRates,
  readRatesState,
  writeRatesState,
} from '#database/currency/exchange-rates.ts'
import { transaction } from '#database/engine/connect.ts'
import { fetchRates } from './fetch-exchange-rates.ts'
import { currencyStates, ratesFor } from './offered-currencies.ts'
import { type AutomaticRates, automaticCodes, type RateTools, saveAutomaticRates } from './store-exchange-rates.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Time limit of a claim; after a crash of the process another one may claim the request. */
const askingMs = 2 * minuteMs
const firstPauseMs = 2 * minuteMs
const longestPauseMs = hourMs
/** Retention of the rate history; orders keep their own rate forever. */
const keepDays = 400

/** Default URLs of the sources. */
const usualAddresses = {
  ecb: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  'open-rates': 'https://api.frankfurter.dev/v1/latest',
} as const

/** @returns null if all rates are manual */
export function ratesAddress({ exchange }: Pick<ShopSettings, 'exchange'>): string | null {
  const { source, address } = exchange.rates
  return source === 'hand' ? null : address || usualAddresses[source]
}

/** Returns true if a request to the source is due. */
export function isAskingDue(state: RatesState, settings: ShopSettings, now: Date): boolean {
  const question = questionOf(settings)
  if (question === null) return false
  if (state.question !== question) return true
  const { notBefore, cameAt } = state
  // A clock set back must not extend a claim or pause by the length of the jump.
  const holds = (since: Date | null, ms: number) =>
    since !== null && now.getTime() < since.getTime() + ms && now >= since
  if (notBefore && now < notBefore && notBefore.getTime() - now.getTime() <= longestPauseMs) return false
  return !holds(cameAt, settings.exchange.rates.everyHours * hourMs)
}

/**
 * Requests rates from the source if due; runs as a job every minute. Only one process sends the request. After a
 * failure the shop keeps its rates, and retries after two minutes, four, eight and so on up to an hour.
 */
export async function refreshRates(tools: RateTools): Promise<void> {
  const { clock, settings } = tools
  if (questionOf(settings) === null) return
  const mine = await transaction(tools, async (tx) => {
    await lockRates(tx)
    const state = await readRatesState(tx)
    const now = clock.now()
    if (!isAskingDue(state, settings, now)) return false
    const before = state.question === questionOf(settings) ? state : fresh
    const notBefore = new Date(now.getTime() + askingMs)
    await writeRatesState(tx, { ...before, question: questionOf(settings) ?? '', notBefore })
    return true
  })
  if (!mine) return
  await updateRates(tools, { accept: false })
  const left = await tooOld(tools)
  if (left.length > 0) tools.log.warn({ currencies: left }, 'currencies not offered: exchange rates too old')
}

/** Returns the codes of currencies that are not offered because their rates are too old. */
async function tooOld({ db, settings, clock }: RateTools): Promise<readonly string[]> {
  const rates = ratesFor(settings.currency, await latestRates(db.kysely))
  const states = currencyStates({ settings, rates }, clock.now())
  return states.flatMap(({ code, state }) => (state === 'too-old' ? [code] : []))
}

/**
 * Requests rates from the source now, and saves the valid ones.
 * @param accept true to use rates however much they have changed
 */
export async function updateRates(tools: RateTools, { accept }: { accept: boolean }): Promise<AutomaticRates> {
  const { settings, clock, chance, db, log } = tools
  const { source } = settings.exchange.rates
  const address = ratesAddress(settings)
  const question = questionOf(settings)
  if (address === null || source === 'hand') return { ok: false, fault: 'no source of rates is set up' }
  if (question === null) return { ok: false, fault: 'no currency has the rate auto' }

  const fetched = await fetchRates(tools, address)
  const taken = fetched.ok ? await saveAutomaticRates(tools, fetched.value, { source, accept }) : fetched
  const now = clock.now()
  const known = await readRatesState(db.kysely)
  const before = known.question === question ? known : { ...fresh, question }
  if (taken.ok) {
    const after = { ...before, failures: 0, notBefore: null, fault: '', askedAt: now, cameAt: now }
    await writeRatesState(db.kysely, after)
    await forgetRates(db.kysely, dayText(now.getTime() - keepDays * dayMs))
    const changed = taken.rates.filter(({ outcome }) => outcome === 'taken').map(({ code }) => code)
    const missing = taken.rates.filter(({ outcome }) => outcome === 'missing').map(({ code }) => code)
    if (changed.length > 0) log.info({ source, day: taken.day, currencies: changed }, 'new exchange rates')
    if (missing.length > 0)
      log.warn({ source, day: taken.day, currencies: missing }, 'exchange rates missing at the source')
    return taken
  }
  const failures = before.failures + 1
  const wanted = fetched.ok ? undefined : fetched.retryAfterMs
  const pause = Math.min(longestPauseMs, Math.max(wanted ?? 0, firstPauseMs * 2 ** Math.min(failures - 1, 10)))
  // Up to a tenth earlier: a jitter, so that several shops do not call one source at the same time.
  const notBefore = new Date(now.getTime() + pause * (1 - chance.fraction() / 10))
  await writeRatesState(db.kysely, { ...before, failures, notBefore, fault: taken.fault.slice(0, 300), askedAt: now })
  log.warn({ source, failures, fault: taken.fault }, 'exchange rates not updated')
  return taken
}

/** Returns the source and its currencies as a key: a changed key makes a request due at once. */
function questionOf(settings: ShopSettings): string | null {
  const address = ratesAddress(settings)
  const codes = automaticCodes(settings)
  if (address === null || codes.length === 0) return null
  return `${address} ${settings.currency} ${codes.toSorted().join(' ')}`.slice(0, 2000)
}

const fresh: RatesState = { question: '', failures: 0, notBefore: null, fault: '', askedAt: null, cameAt: null }

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
