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

/** Rates of one day: units of each currency per unit of `base`, as decimals. */
export type DayRates = {
  readonly base: string
  /** 2026-01-05. */
  readonly day: string
  readonly rates: ReadonlyMap<string, string>
}

/** `fault` is a text for the merchant, about the parsed file or response. */
export type RatesRead =
  | {
      readonly ok: true
      readonly value: DayRates
      /** Currencies with an invalid figure, like `N/A`, and the figure. */
      readonly skipped: readonly { readonly code: string; readonly figure: string }[]
    }
  | { readonly ok: false; readonly fault: string }

/** Significant digits of calculated rates. */
const significantDigits = 10
/** Maximum decimals of a stored rate. */
const maxDecimals = 20

/**
 * Parses a rate of a source, also `1.2e-5`, to a decimal of ten significant digits.
 * @returns null for anything else: zero, negative numbers, `N/A`, and figures beyond any currency
 */
export function readRate(figure: string): string | null {
  const read = /^\+?(\d{1,20})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(figure.trim())
  if (!read) return null
  const [, units = '', fraction = '', exponent = '0'] = read
  const shift = Number(exponent)
  if (Math.abs(shift) > maxDecimals) return null
  const power = 10n ** BigInt(Math.abs(shift))
  const written = exact(fraction === '' ? units : `${units}.${fraction}`)
  return rateText(shift < 0 ? divideExact(written, whole(power)) : multiplyExact(written, whole(power)))
}

/**
 * Converts rates to another base, by exact division rounded to ten significant digits: EUR/JPY ÷ EUR/USD is USD/JPY.
 * The base of the source becomes one of the currencies.
 * @returns null where the new base has no rate
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

/** Returns the change of a rate in percent, without sign, to one decimal: 20.5. */
export function changePercent(before: string, after: string): string {
  const change = subtractExact(exact(after), exact(before))
  const size = change.n < 0n ? { n: -change.n, d: change.d } : change
  return decimalText(multiplyExact(divideExact(size, exact(before)), whole(100)), 1)
}

/** Reports whether a rate has changed by more than `maxPercent`. */
export function isJump(before: string, after: string, maxPercent: number): boolean {
  const change = subtractExact(exact(after), exact(before))
  const size = change.n < 0n ? { n: -change.n, d: change.d } : change
  const share = divideExact(multiplyExact(size, whole(100)), exact(before))
  return compareExact(share, exact(String(maxPercent))) > 0
}

/** Reports whether a date exists: 2026-02-29 does not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** Validates parsed rates of every format. Rows come in source order; the later of two rows of one currency counts. */
export function dayRates(base: string, day: string, figures: readonly (readonly [string, string])[]): RatesRead {
  if (!isCode(base)) return { ok: false, fault: `"${base.slice(0, 20)}" is not a currency code` }
  if (!isDay(day)) return { ok: false, fault: `"${day.slice(0, 40)}" is not a date like 2026-01-05` }
  const rates = new Map<string, string>()
  const skipped: { code: string; figure: string }[] = []
  for (const [code, figure] of figures) {
    if (!isCode(code)) return { ok: false, fault: `"${code.slice(0, 20)}" is not a currency code` }
    const rate = readRate(figure)
    if (rate === null) skipped.push({ code, figure: figure.slice(0, 20) })
    else rates.set(code, rate)
  }
  if (rates.size === 0) return { ok: false, fault: 'there are no rates in it' }
  return { ok: true, value: { base, day, rates }, skipped }
}

/** Upper limit of a rate, above that of any currency. */
const rateLimit = exact('1000000000000')

/** Returns a rate in ten significant digits; null where it is invalid. */
export function rateText(value: Exact): string | null {
  if (value.n <= 0n || compareExact(value, rateLimit) >= 0) return null
  const text = decimalText(value, decimalsFor(value))
  return /[1-9]/.test(text) ? text : null
}

/** Returns the decimals for ten significant digits; whole digits are all kept. */
function decimalsFor({ n, d }: Exact): number {
  const wholeDigits = n >= d ? (n / d).toString().length : 0
  if (wholeDigits > 0) return Math.max(0, significantDigits - wholeDigits)
  let zeros = 0
  for (let scaled = n * 10n; scaled < d && zeros < maxDecimals; scaled *= 10n) zeros += 1
  return Math.min(maxDecimals, zeros + significantDigits)
}

function isCode(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}
