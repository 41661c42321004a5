import { productCsvColumns } from '../product-csv-columns.ts'
import type { TitleTable } from './classic-titles.ts'
import { sheetTitles } from './sheet-titles.ts'
import { titleKey } from './title-key.ts'
import { arabicTitles, japaneseTitles, polishTitles, russianTitles } from './titles-east.ts'
import { dutchTitles, frenchTitles, germanTitles } from './titles-north.ts'
import { italianTitles, portugueseTitles, spanishTitles } from './titles-south.ts'

/** Languages of column titles, in the order in which they are tried. */
export const titleLanguages: Readonly<Record<string, TitleTable>> = {
  de: germanTitles,
  fr: frenchTitles,
  es: spanishTitles,
  it: italianTitles,
  nl: dutchTitles,
  pt: portugueseTitles,
  pl: polishTitles,
  ru: russianTitles,
  ja: japaneseTitles,
  ar: arabicTitles,
}

/** The key under which the classic shop itself stores the cost of goods. */
const costColumn = 'Meta: _cogs_total_value'
const units: Readonly<Record<string, string>> = {
  ...{ кг: 'kg', г: 'g', гр: 'g', см: 'cm', мм: 'mm', м: 'm', pouces: 'in', po: 'in', zoll: 'in', inch: 'in' },
  ...{ كجم: 'kg', كغ: 'kg', كغم: 'kg', جم: 'g', غ: 'g', سم: 'cm', مم: 'mm', م: 'm', キロ: 'kg', グラム: 'g' },
  ...{ センチ: 'cm', kgs: 'kg', gr: 'g', grams: 'g', gram: 'g', pounds: 'lbs', ounces: 'oz', inches: 'in' },
}
const measures = new Set(['Weight', 'Length', 'Width', 'Height'])
const metaTitle =
  /^(?:meta|méta|métadonnées?|metadaten|metadato|metadados|мета|метаданные|メタ|ميتا|البيانات الوصفية)\s*[:：]\s*(.+)$/iu
const metafieldTitle = /\((?:product|variant)\.metafields\.([^)]+)\)$/

/** Canonical titles by the key of a title; a number is `#`. */
const titles = new Map<string, string>()
/** Some languages write numbers with spaces around them, and some people do not. */
const withoutSpaces = (key: string) => key.replace(/ ?# ?/, '#')
function learn(title: string, written: string): void {
  for (const one of written.split('|')) {
    const key = withoutSpaces(titleKey(one.replace('{n}', '#')))
    if (!titles.has(key)) titles.set(key, title)
  }
}
const canonicalTemplates = Object.keys(germanTitles)
for (const title of [...Object.keys(productCsvColumns), ...canonicalTemplates]) learn(title, title)
for (const [title, written] of Object.entries(sheetTitles)) learn(title, written)
for (const table of Object.values(titleLanguages)) {
  for (const [title, written] of Object.entries(table)) learn(title, written)
}

/**
 * Returns the column of the classic product file that a title means, in English (`Weight (kg)`, `Attribute 2 name`,
 * `Meta: _colour`), or null for an unknown title. Titles match without regard to case, accents and punctuation.
 */
export function readTitle(title: string): string | null {
  const plain = title.normalize('NFKC').trim()
  const meta = metaTitle.exec(plain)?.[1] ?? metafieldTitle.exec(plain)?.[1]
  if (meta) return `Meta: ${meta.trim()}`
  const unit = /\(([^()]*)\)\s*$/.exec(plain)
  const base = unit ? titles.get(titleKey(plain.slice(0, unit.index))) : undefined
  if (unit && base && measures.has(base)) return `${base} (${unitOf(unit[1] ?? '')})`
  const key = titleKey(plain)
  const number = /\d{1,3}/.exec(key)?.[0]
  const known =
    titles.get(key) ?? (number === undefined ? undefined : titles.get(withoutSpaces(key.replace(number, '#'))))
  if (known === undefined) return null
  if (known === 'Cost of goods') return costColumn
  if (measures.has(known)) return `${known} (${known === 'Weight' ? 'kg' : 'cm'})`
  return known.replace('{n}', number ?? '1')
}

function unitOf(written: string): string {
  const unit = written.trim().toLowerCase()
  return units[unit] ?? unit
}
