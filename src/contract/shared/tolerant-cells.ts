import { largestPrice } from '#domain/money/bounds.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { type CellResult, dayIn } from '../import/product-csv-cells.ts'

/** Parsers of cells in files of other shops, which write amounts, dates and answers in many ways. */

/**
 * Parses an amount to whole minor units. Currency signs, spaces and thousands marks are dropped. The last of two
 * different marks is the decimal one. A comma before three digits marks thousands. Digits beyond the currency's decimals are
 * rounded, half away from zero: classic exports write six of them.
 */
export function amountIn(cell: string, decimals: number): CellResult<number> {
  const plain = plainNumber(cell, decimals)
  if (plain === null) return { problem: 'must be an amount like 12.50' }
  const parsed = parseAmount(rounded(plain, decimals), decimals)
  if (parsed.ok && Math.abs(parsed.minor) <= largestPrice) return { value: parsed.minor }
  return { problem: parsed.ok || parsed.reason === 'too-large' ? 'is too large' : 'must be an amount like 12.50' }
}

/** Parses a percentage to parts per million: `19`, `19%`, `19,00 %`. */
export function rateIn(cell: string): CellResult<number> {
  const parsed = amountIn(cell.replace(/%$/, ''), 4)
  if ('value' in parsed && (parsed.value < 0 || parsed.value > 10_000_000)) return { problem: 'must be from 0 to 1000' }
  return 'value' in parsed ? parsed : { problem: 'must be a percentage like 19' }
}

/** Returns the number with a point as its only mark, or null. */
function plainNumber(cell: string, decimals: number): string | null {
  const bare = cell.replace(/[\p{Sc}\s'’]|^[A-Za-z]{1,3}(?=[\d.,\s-])|(?<=[\d.,\s])[A-Za-z]{1,3}$/gu, '')
  const text = bare.replace('−', '-')
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(text)) return null
  const [points, commas] = [text.split('.').length - 1, text.split(',').length - 1]
  const decimalMark =
    points > 0 && commas > 0
      ? text.lastIndexOf('.') > text.lastIndexOf(',')
        ? '.'
        : ','
      : points > 1 || commas > 1
        ? ''
        : commas === 1
          ? /,\d{3}$/.test(text)
            ? ''
            : ','
          : decimals === 0 && /^[+-]?\d{1,3}\.\d{3}$/.test(text)
            ? ''
            : '.'
  const [whole = '', fraction = '', ...more] = decimalMark === '' ? [text] : text.split(decimalMark)
  if (more.length > 0 || /[.,]/.test(fraction)) return null
  const groups = whole.replace(/^[+-]/, '').split(/[.,]/)
  if (groups.length > 1 && !groups.every((group, place) => (place === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group)))
    return null
  const digits = whole.replace(/[.,]/g, '')
  return fraction === '' ? digits : `${digits}.${fraction}`
}

/** Rounds decimal text by its digits, without any binary fraction. */
function rounded(plain: string, decimals: number): string {
  const [whole = '', fraction = ''] = plain.split('.')
  if (fraction.length <= decimals) return plain
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = BigInt(whole.replace(/^[+-]/, '') + fraction.slice(0, decimals) || '0')
  const up = (fraction[decimals] ?? '0') >= '5' ? 1n : 0n
  const text = String(digits + up).padStart(decimals + 1, '0')
  const point = text.length - decimals
  return `${sign}${text.slice(0, point)}${decimals === 0 ? '' : `.${text.slice(point)}`}`
}

const yes: ReadonlySet<string> = new Set(['1', 'yes', 'true', 'y', 'on', 'subscribed'])
const no: ReadonlySet<string> = new Set(['0', 'no', 'false', 'n', 'off', 'not_subscribed', 'unsubscribed'])

export function answerIn(cell: string): CellResult<boolean> {
  const word = cell.toLowerCase()
  if (yes.has(word)) return { value: true }
  return no.has(word) ? { value: false } : { problem: 'must be yes or no, 1 or 0' }
}

/** Parses a count such as `2`, `2.0` or `1,000`. */
export function countIn(cell: string, least = 0): CellResult<number> {
  const parsed = amountIn(cell, 3)
  if (!('value' in parsed) || parsed.value % 1000 !== 0) return { problem: 'must be a whole number' }
  const count = parsed.value / 1000
  return count < least
    ? { problem: least === 0 ? 'must not be negative' : `must be at least ${least}` }
    : { value: count }
}

/**
 * Parses a moment: ISO 8601 with or without an offset, `2026-05-10 14:03:11 -0400`, seconds since 1970, `10.05.2026`,
 * and dates with slashes where day and month cannot be mistaken for each other.
 * @param timeZone of times without an offset
 */
export function momentIn(cell: string, timeZone: string): CellResult<Date> {
  const problem = 'must be a date like 2026-12-31'
  if (/^\d{9,10}$/.test(cell)) return { value: new Date(Number(cell) * 1000) }
  const offset = /^(\d{4}-\d\d-\d\d)[T ](\d\d?:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)$/i.exec(cell)
  if (offset) {
    const [, day, time = '', zone = ''] = offset
    const shift = /^[+-]/.test(zone) ? zone.replace(/(\d\d):?(\d\d)$/, '$1:$2') : 'Z'
    const at = new Date(
      `${day}T${time.padStart(time.length === 4 || time.length === 7 ? time.length + 1 : 0, '0')}${shift}`,
    )
    return Number.isNaN(at.getTime()) ? { problem } : { value: at }
  }
  const day = isoDay(cell)
  return day === null ? { problem } : dayIn(day.replace(/\.\d+$/, ''), 'start', timeZone)
}

/** Returns the same date with its year first, or null. */
function isoDay(cell: string): string | null {
  if (/^\d{4}-/.test(cell)) return cell
  const parts = /^(\d{1,4})([./])(\d{1,2})\2(\d{1,4})(.*)$/.exec(cell)
  if (!parts) return null
  const [, first = '', mark, second = '', third = '', time = ''] = parts
  const written = (year: string, month: string, day: string) =>
    `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`
  if (first.length === 4) return written(first, second, third)
  if (third.length !== 4) return null
  if (mark === '.' || Number(first) > 12) return written(third, second, first)
  return Number(second) > 12 || first === second ? written(third, first, second) : null
}
