import {
  compareExact,
  decimalText,
  divideExact,
  type Exact,
  exact,
  multiplyExact,
  subtractExact,
  whole,
} from './fraction.ts'

/** What currencies were worth on one day: units of each for one of `base`, as decimals. */
export type DayRates = {
  readonly base: string
  /** 2026-01-05. */
  readonly day: string
  readonly rates: ReadonlyMap<string, string>
}

/** `fault` is a sentence for the merchant, about the file or answer that was read. */
export type RatesRead =
  | {
      readonly ok: true
      readonly value: DayRates
      /** Currencies whose figure was no rate, like `N/A`, with what stood there. */
      readonly skipped: readonly { readonly code: string; readonly figure: string }[]
    }
  | { readonly ok: false; readonly fault: string }

/** Digits that say something, in rates of our own making. */
const significantDigits = 10
/** As many decimals as a rate is kept with. */
const mostDecimals = 20

/**
 * A rate as sources write it, also `1.2e-5`, as a decimal of ten significant digits.
 * @returns null for whatever is no rate: nothing, less than nothing, `N/A`, and what no currency was ever worth
 */
export function readRate(figure: string): string | null {
  const read = /^\+?(\d{1,20})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(figure.trim())
  if (!read) return null
  const [, units = '', fraction = '', exponent = '0'] = read
  const shift = Number(exponent)
  if (Math.abs(shift) > mostDecimals) return null
  const power = 10n ** BigInt(Math.abs(shift))
  const written = exact(fraction === '' ? units : `${units}.${fraction}`)
  return rateText(shift < 0 ? divideExact(written, whole(power)) : multiplyExact(written, whole(power)))
}

/**
 * The same rates for one of another currency, exactly divided and then cut to ten significant digits: EUR/JPY ÷ EUR/USD is
 * USD/JPY. The base of the source becomes one currency among the others.
 * @returns null where the other currency is not among them
 */
export function crossRates({ base, day, rates }: DayRates, own: string): DayRates | null {
  if (own === base) return { base, day, rates: new Map([...rates].filter(([code]) => code !== base)) }
  const ownRate = rates.get(own)
  if (ownRate === undefined) return null
  const divisor = exact(ownRate)
  const crossed = [...rates, [base, '1'] as const].flatMap(([code, rate]) => {
    const value = code === own ? null : rateText(divideExact(exact(rate), divisor))
    return value === null ? [] : [[code, value] as const]
  })
  return { base: own, day, rates: new Map(crossed) }
}

/** By how many percent of what it was a rate has changed, up or down, in tenths: 20.5. */
export function changePercent(before: string, after: string): string {
  const change = subtractExact(exact(after), exact(before))
  const size = change.n < 0n ? { n: -change.n, d: change.d } : change
  return decimalText(multiplyExact(divideExact(size, exact(before)), whole(100)), 1)
}

/** Whether a rate has changed by more than so many percent of what it was. */
export function isJump(before: string, after: string, maxPercent: number): boolean {
  const change = subtractExact(exact(after), exact(before))
  const size = change.n < 0n ? { n: -change.n, d: change.d } : change
  const share = divideExact(multiplyExact(size, whole(100)), exact(before))
  return compareExact(share, exact(String(maxPercent))) > 0
}

/** Whether it is a day of the calendar: 2026-02-29 is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** What a file says, checked: every format ends here. Rows come as they were written; of two of one currency the later counts. */
export function dayRates(base: string, day: string, figures: readonly (readonly [string, string])[]): RatesRead {
  if (!isCode(base)) return { ok: false, fault: `"${base.slice(0, 20)}" is no code of a currency` }
  if (!isDay(day)) return { ok: false, fault: `"${day.slice(0, 40)}" is no day like 2026-01-05` }
  const rates = new Map<string, string>()
  const skipped: { code: string; figure: string }[] = []
  for (const [code, figure] of figures) {
    if (!isCode(code)) return { ok: false, fault: `"${code.slice(0, 20)}" is no code of a currency` }
    const rate = readRate(figure)
    if (rate === null) skipped.push({ code, figure: figure.slice(0, 20) })
    else rates.set(code, rate)
  }
  if (rates.size === 0) return { ok: false, fault: 'there are no rates in it' }
  return { ok: true, value: { base, day, rates }, skipped }
}

/** More digits before the point no currency has ever needed. */
const tooMuch = exact('1000000000000')

/** A rate in ten significant digits; null where it is none. */
export function rateText(value: Exact): string | null {
  if (value.n <= 0n || compareExact(value, tooMuch) >= 0) return null
  const text = decimalText(value, decimalsFor(value))
  return /[1-9]/.test(text) ? text : null
}

/** So many decimals show ten significant digits; whole digits are all kept. */
function decimalsFor({ n, d }: Exact): number {
  const wholeDigits = n >= d ? (n / d).toString().length : 0
  if (wholeDigits > 0) return Math.max(0, significantDigits - wholeDigits)
  let zeros = 0
  for (let scaled = n * 10n; scaled < d && zeros < mostDecimals; scaled *= 10n) zeros += 1
  return Math.min(mostDecimals, zeros + significantDigits)
}

function isCode(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}
