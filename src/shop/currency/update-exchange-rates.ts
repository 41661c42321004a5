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

/** Who asks has so long to come back with an answer; a process that dies meanwhile holds nobody up for longer. */
const askingMs = 2 * minuteMs
const firstPauseMs = 2 * minuteMs
const longestPauseMs = hourMs
/** For so long the history of rates is kept; orders hold their own rate for ever. */
const keepDays = 400

/** Where each source is asked unless the merchant says otherwise. */
const usualAddresses = {
  ecb: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  'open-rates': 'https://api.frankfurter.dev/v1/latest',
} as const

/** @returns null where rates come by hand alone */
export function ratesAddress({ exchange }: Pick<ShopSettings, 'exchange'>): string | null {
  const { source, address } = exchange.rates
  return source === 'hand' ? null : address || usualAddresses[source]
}

/** Whether the source is asked at this moment. */
export function isAskingDue(state: RatesState, settings: ShopSettings, now: Date): boolean {
  const question = questionOf(settings)
  if (question === null) return false
  if (state.question !== question) return true
  const { notBefore, cameAt } = state
  // A clock set back must hold nothing for the length of the jump.
  const holds = (since: Date | null, ms: number) =>
    since !== null && now.getTime() < since.getTime() + ms && now >= since
  if (notBefore && now < notBefore && notBefore.getTime() - now.getTime() <= longestPauseMs) return false
  return !holds(cameAt, settings.exchange.rates.everyHours * hourMs)
}

/**
 * Asks the source for rates where that is due, for the job of every minute. Of several processes one asks. When it fails
 * the shop goes on with what it knows, and asks again after two minutes, four, eight and so on up to an hour.
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
  if (left.length > 0)
    tools.log.warn({ currencies: left }, 'their rates are too old: they are not offered until there are newer ones')
}

/** Codes of the currencies that would be offered if their rates were newer. */
async function tooOld({ db, settings, clock }: RateTools): Promise<readonly string[]> {
  const rates = ratesFor(settings.currency, await latestRates(db.kysely))
  const states = currencyStates({ settings, rates }, clock.now())
  return states.flatMap(({ code, state }) => (state === 'too-old' ? [code] : []))
}

/**
 * Asks the source for rates now, and keeps what is good of the answer.
 * @param accept whether rates count however much they have changed
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
    if (missing.length > 0) log.warn({ source, day: taken.day, currencies: missing }, 'the source has no rate of them')
    return taken
  }
  const failures = before.failures + 1
  const wanted = fetched.ok ? undefined : fetched.retryAfterMs
  const pause = Math.min(longestPauseMs, Math.max(wanted ?? 0, firstPauseMs * 2 ** Math.min(failures - 1, 10)))
  // Up to a tenth earlier, so that several shops at one source do not all come back at once.
  const notBefore = new Date(now.getTime() + pause * (1 - chance.fraction() / 10))
  await writeRatesState(db.kysely, { ...before, failures, notBefore, fault: taken.fault.slice(0, 300), askedAt: now })
  log.warn({ source, failures, fault: taken.fault }, 'no new exchange rates: the last good ones stay')
  return taken
}

/** What is asked of whom, and for which currencies: rates of other currencies are wanted at once. */
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
