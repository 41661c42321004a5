import { titleKey } from './title-key.ts'

/** The mark before the decimals of a file: `point` is 1,234.50, `comma` is 1.234,50; null is unknown. */
export type DecimalMark = 'point' | 'comma' | null

export type NumberCell =
  | { readonly text: string; readonly currencies: readonly string[] | null }
  | { readonly problem: string }

/** Currencies of signs and words; null for a sign that many currencies share. */
const currencySigns: Readonly<Record<string, readonly string[] | null>> = {
  ...{ '€': ['EUR'], euro: ['EUR'], euros: ['EUR'], '£': ['GBP', 'EGP', 'LBP'], '¥': ['JPY', 'CNY'], 円: ['JPY'] },
  ...{ 元: ['CNY'], '₽': ['RUB'], руб: ['RUB'], 'руб.': ['RUB'], р: ['RUB'], 'р.': ['RUB'], zł: ['PLN'], zl: ['PLN'] },
  ...{ '₹': ['INR'], '₺': ['TRY'], '₴': ['UAH'], '₩': ['KRW'], r$: ['BRL'], us$: ['USD'], $us: ['USD'], kč: ['CZK'] },
  ...{
    ft: ['HUF'],
    fr: ['CHF'],
    'fr.': ['CHF'],
    sfr: ['CHF'],
    ca$: ['CAD'],
    a$: ['AUD'],
    'د.إ': ['AED'],
    'ر.س': ['SAR'],
  },
  ...{
    ريال: ['SAR', 'QAR', 'YER', 'OMR'],
    درهم: ['AED', 'MAD'],
    kr: ['SEK', 'NOK', 'DKK', 'ISK'],
    'kr.': ['DKK', 'SEK', 'NOK', 'ISK'],
  },
}

const numberIn = /^([^\d.,+-]*?)\s*([+-]?)\s*([^\d.,+-]*?)\s*((?:\d[\d.,'\u2019\s]*|[.,]\d+))\s*([^\d]*)$/u

const arabicDigits = /[\u0660-\u0669\u06F0-\u06F9]/g

/**
 * Returns a number in plain notation, `-1234.5`, without currency signs and thousands marks. A number that can be read
 * both ways (`1,250`) is decided by the mark of the file.
 * @param mark of the file's decimals
 */
export function numberCell(cell: string, mark: DecimalMark): NumberCell {
  const plain = cell
    .replace(arabicDigits, (digit) => String(digit.charCodeAt(0) % 16))
    .normalize('NFKC')
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', ',')
    .replace(/\u2212/g, '-')
    .replace(/[.,](?:--?|–|—)(?=\D*$)/, '')
    .trim()
  const parts = numberIn.exec(plain)
  if (!parts) return { problem: 'must be a number like 12.50' }
  const [, first = '', sign = '', second = '', written = '', after = ''] = parts
  const words = [first, second, after].map((word) => word.trim()).filter((word) => word !== '')
  if (words.length > 1) return { problem: 'must be a number like 12.50' }
  const currencies = words.length === 0 ? null : currenciesOf(words[0] ?? '')
  if (currencies === undefined) return { problem: `has the unknown sign or unit "${words[0]}"` }
  const digits = plainDigits(written.replace(/[\s'\u2019]/g, ''), mark)
  if (digits === 'ambiguous')
    return { problem: 'can be read two ways; state the decimal mark with --decimal comma or --decimal point' }
  if (digits === null) return { problem: 'must be a number like 12.50' }
  return { text: `${sign === '-' ? '-' : ''}${digits}`, currencies }
}

/** Returns the decimal mark that a cell proves, null for none. */
export function decimalMarkOf(cell: string): DecimalMark {
  const written = numberIn.exec(cell.normalize('NFKC').trim())?.[4]?.replace(/[\s'\u2019]/g, '') ?? ''
  if (plainDigits(written, null) === null) return null
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  if (last < 0) return null
  const mark = written[last] === ',' ? 'comma' : 'point'
  const several = written.split(written[last] ?? '').length > 2
  // Several equal marks separate thousands: the other one is the decimal mark.
  if (several) return mark === 'comma' ? 'point' : 'comma'
  return plainDigits(written, null) === 'ambiguous' ? null : mark
}

const grouped = { ',': /^\d{1,3}(,\d{2,3})*,\d{3}$/, '.': /^\d{1,3}(\.\d{3})+$/ } as const

function plainDigits(written: string, mark: DecimalMark): string | 'ambiguous' | null {
  const commas = written.split(',').length - 1
  const points = written.split('.').length - 1
  if (commas === 0 && points === 0) return written === '' ? null : written
  if (commas > 0 && points > 0) {
    const decimal = written.lastIndexOf(',') > written.lastIndexOf('.') ? ',' : '.'
    const thousands = decimal === ',' ? '.' : ','
    const [whole = '', fraction = ''] = [
      written.slice(0, written.lastIndexOf(decimal)),
      written.slice(written.lastIndexOf(decimal) + 1),
    ]
    return grouped[thousands].test(whole) ? `${whole.replaceAll(thousands, '')}.${fraction}` : null
  }
  const used = commas > 0 ? ',' : '.'
  if (commas + points > 1) return grouped[used].test(written) ? written.replaceAll(used, '') : null
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(written)) {
    if (mark === null) return 'ambiguous'
    if ((mark === 'comma') !== (used === ',')) return written.replace(used, '')
  }
  return written.replace(',', '.')
}

/** @returns null for a sign of many currencies, undefined for an unknown word */
function currenciesOf(word: string): readonly string[] | null | undefined {
  const lower = word.toLowerCase()
  if (Object.hasOwn(currencySigns, lower)) return currencySigns[lower]
  if (/^[A-Z]{3}$/.test(word.toUpperCase()) && !/^(pcs|stk|szt|кг)$/i.test(word)) return [word.toUpperCase()]
  if (/^\p{Sc}$/u.test(word)) return null
  const key = titleKey(word)
  return Object.hasOwn(currencySigns, key) ? currencySigns[key] : undefined
}

/**
 * Rounds a number in plain notation half away from zero.
 * @returns the number, unchanged if it has no more than `decimals` decimals
 */
export function roundedNumber(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  if (fraction.replace(/0+$/, '').length <= decimals) return text
  const kept = BigInt(`${whole}${fraction.slice(0, decimals)}` || '0')
  const up = (fraction[decimals] ?? '0') >= '5' ? 1n : 0n
  const digits = String(kept + up).padStart(decimals + 1, '0')
  const shown = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return text.startsWith('-') ? `-${shown}` : shown
}
