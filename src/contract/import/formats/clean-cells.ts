import { withoutGuard } from '../product-csv-cells.ts'
import type { ValueRules } from './import-format.ts'
import { numberCell, roundedNumber } from './number-cells.ts'
import {
  backorderWords,
  booleanWords,
  inStockWords,
  publishedWords,
  stockWords,
  taxStatusWords,
  typeWords,
  visibilityWords,
  type WordTable,
  wordValue,
} from './value-words.ts'

/** A converted cell, with a note on a change of its value, or the problem for which it cannot be used. */
export type CleanCell = { readonly text: string; readonly note?: string; readonly problem?: string }
export type CellCleaner = (cell: string, rules: ValueRules) => CleanCell

const words =
  (table: WordTable): CellCleaner =>
  // The guard before -1 must not make it 1: drafts stay drafts.
  (cell) => ({ text: wordValue(table, withoutGuard(cell)) })

const price: CellCleaner = (cell, { mark, decimals, currency }) => {
  // Most prices of most files; three decimals may be thousands.
  if (/^\d+(\.\d{1,2})?$/.test(cell) && decimals === 2) return { text: cell }
  const number = numberCell(withoutGuard(cell), mark)
  if ('problem' in number) return { text: cell, problem: number.problem }
  const { currencies } = number
  if (currencies !== null && currency !== undefined && !currencies.includes(currency))
    return { text: cell, problem: `is in ${currencies.join(' or ')}, but prices of this shop are in ${currency}` }
  const text = roundedNumber(number.text, decimals)
  return text === number.text
    ? { text }
    : { text, note: `has more than ${decimals} decimals and is rounded to ${text}` }
}

const measure =
  (unit: string): CellCleaner =>
  (cell, { mark }) => {
    const [, figure = '', written = ''] = /^(.*?)\s*([\p{L}]*)\.?$/u.exec(withoutGuard(cell)) ?? []
    const own = unit === 'lbs' ? ['lbs', 'lb'] : [unit]
    if (written !== '' && !own.includes(written.toLowerCase()))
      return { text: cell, problem: `is in "${written}", but the column is in ${unit}` }
    // Nobody weighs a product in thousands of kilograms: a single mark is the decimal one.
    const number = numberCell(figure, mark ?? (figure.includes(',') ? 'comma' : 'point'))
    return 'problem' in number ? { text: cell, problem: number.problem } : { text: number.text }
  }

const pieces = /^([+-]?[\d.,\s'’]*\d)\s*(?:pcs|pieces|pc|units?|stk|stück|st|pièces|pz|pzas|uds|szt|шт|個|قطعة)\.?$/iu

const stock: CellCleaner = (cell, { mark }) => {
  if (/^-?\d+$/.test(cell) || cell.toLowerCase() === 'parent') return { text: cell }
  const figure = pieces.exec(cell)?.[1] ?? cell
  const number = numberCell(withoutGuard(figure), mark)
  if ('problem' in number) return { text: cell, problem: number.problem.replace('12.50', '12') }
  return { text: number.text.replace(/\.0+$/, '') }
}

/** Makes the comma list of the classic file of a list with `|` or line breaks, whose elements may contain commas. */
export function commaList(cell: string): string {
  if (!/[|\n]/.test(cell)) return cell
  return cell
    .split(/[|\n]/)
    .map((part) => part.trim().replace(/(?<!\\),/g, '\\,'))
    .filter((part) => part !== '')
    .join(', ')
}

const list: CellCleaner = (cell) => ({ text: commaList(cell) })

/** Addresses may contain commas: a list of them is split before each `https://`. */
const images: CellCleaner = (cell) => {
  if (!/^https?:\/\//i.test(cell)) return list(cell, { mark: null, decimals: 2 })
  const addresses = cell.split(/[\s|,;]+(?=https?:\/\/)/i).map((address) => address.replace(/[\s|,;]+$/, ''))
  return { text: addresses.map((address) => address.replace(/(?<!\\),/g, '\\,')).join(', ') }
}

/** Paths of categories or brands, from the top. */
const paths: CellCleaner = (cell) => ({ text: commaList(cell).replace(/\s*(?:>{2,}|›|»|→)\s*/g, ' > ') })

const types: CellCleaner = (cell) => ({
  text: cell
    .split(/[,|]/)
    .map((word) => wordValue(typeWords, word.trim()))
    .filter((word) => word !== '')
    .join(', '),
})

const gtin: CellCleaner = (cell) => {
  const text = cell.replace(/^'/, '').replace(/^(\d+)\.0+$/, '$1')
  return /^\d[.,]\d+e\+?\d+$/i.test(text)
    ? { text: '', note: 'was shortened by a spreadsheet and is left out; format the column as text' }
    : { text }
}

/**
 * Returns dates as 2026-12-31: with points the day comes first, with slashes wherever one part can only be a day. Others
 * stay as they are.
 */
const date: CellCleaner = (cell) => {
  const parts =
    /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(
      cell,
    )
  if (!parts) return { text: cell }
  const [, first = '', mark, second = '', third = '', time] = parts
  const order =
    first.length === 4
      ? [first, second, third]
      : third.length < 4
        ? null
        : mark !== '/' || Number(first) > 12
          ? [third, second, first]
          : Number(second) > 12
            ? [third, first, second]
            : first === second
              ? [third, first, second]
              : null
  if (!order) return { text: cell, problem: 'can be read two ways; write it as 2026-12-31' }
  const day = order.map((part) => part.padStart(2, '0')).join('-')
  return { text: time === undefined ? day : `${day} ${time}` }
}

const count: CellCleaner = (cell) => ({
  text: /^(unlimited|unbegrenzt|illimité|∞|n\/a)$/iu.test(cell) ? '' : cell.replace(/\.0+$/, ''),
})

const cleaners: Readonly<Record<string, CellCleaner>> = {
  ID: count,
  Type: types,
  'GTIN, UPC, EAN, or ISBN': gtin,
  Published: words(publishedWords),
  'Is featured?': words(booleanWords),
  'Visibility in catalog': words(visibilityWords),
  'Date sale price starts': date,
  'Date sale price ends': date,
  'Tax status': words(taxStatusWords),
  'In stock?': words(inStockWords),
  Stock: stock,
  'Low stock amount': count,
  'Backorders allowed?': words(backorderWords),
  'Sold individually?': words(booleanWords),
  'Keeps a way to pay?': words(booleanWords),
  'Allow customer reviews?': words(booleanWords),
  'Sale price': price,
  'Regular price': price,
  Categories: paths,
  Tags: list,
  Brands: paths,
  Images: images,
  'Download limit': count,
  'Download expiry days': count,
  'Grouped products': list,
  Upsells: list,
  'Cross-sells': list,
  Position: count,
}

/** Returns what converts the cells of a column, null where they stay as they are. @param title in English */
export function cellCleaner(title: string): CellCleaner | null {
  if (Object.hasOwn(cleaners, title)) return cleaners[title] ?? null
  if (/^Attribute \d+ value\(s\)$/.test(title)) return list
  if (/^Attribute \d+ (visible|global)$/.test(title)) return words(booleanWords)
  const unit = /^(?:Weight|Length|Width|Height) \((\w+)\)$/.exec(title)?.[1]
  return unit === undefined ? null : measure(unit)
}

const listTitles = new Set(['Categories', 'Tags', 'Brands', 'Images', 'Grouped products', 'Upsells', 'Cross-sells'])

/** Returns true for a column of lists. @param title in English */
export function isListTitle(title: string): boolean {
  return listTitles.has(title) || /^Attribute \d+ value\(s\)$/.test(title)
}

/** Returns true for a cell of the stock column that states a status in words: `in stock`. */
export function isStockWord(cell: string): boolean {
  return !/\d/.test(cell) && cell.toLowerCase() !== 'parent' && wordValue(stockWords, cell) !== cell
}
