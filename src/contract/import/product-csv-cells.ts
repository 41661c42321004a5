import { largestPrice } from '#domain/money/bounds.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'

/** Parsers of a product file's cells. Each returns the value, or a text with the problem. */

export type CellResult<Value> = { readonly value: Value } | { readonly problem: string }

export type ProductReference = { readonly sku: string } | { readonly id: number }

/** Removes the `'` that an export adds before = + - @, as spreadsheets run such cells as formulas. */
export function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

/** Decodes a long text: an export writes a line break as \n, and a backslash before the letter n as \\n. */
export function withLineBreaks(cell: string): string {
  return cell.replace(/\\\\n|\\n/g, (mark) => (mark === '\\n' ? '\n' : '\\n'))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#039': "'" }

/**
 * Decodes a name to text: the classic shop stores names of categories, tags and values as markup, and exports `Tea &
 * Coffee` as `Tea &amp; Coffee`. Decoded once, so that intentionally escaped text stays.
 */
export function withoutEntities(name: string): string {
  return name.replace(/&(amp|lt|gt|quot|#0?39);/g, (mark, entity: string) => entities[entity] ?? mark)
}

/** Parses a comma-separated list; a comma within an element is written `\,`. Empty elements are dropped. */
export function listOf(cell: string): string[] {
  return cell
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '')
}

/** Parses `1` or `0`; the words of spreadsheets are accepted too. */
export function booleanIn(cell: string): CellResult<boolean> {
  const text = cell.toLowerCase()
  if (text === '1' || text === 'true' || text === 'yes') return { value: true }
  if (text === '0' || text === 'false' || text === 'no') return { value: false }
  return { problem: 'must be 1 or 0, yes or no' }
}

const largestInteger = 2_147_483_647

export function integerIn(cell: string, smallest = 0, largest = largestInteger): CellResult<number> {
  if (!/^[+-]?\d{1,15}(\.0+)?$/.test(cell)) return { problem: 'must be a whole number' }
  const value = Number(cell)
  if (value < smallest) return { problem: smallest === 0 ? 'must not be negative' : `must be at least ${smallest}` }
  if (value > largest) return { problem: `must be at most ${largest}` }
  // Converts -0 to 0: no column stores its sign.
  return { value: value + 0 }
}

/**
 * Parses a price to whole minor units. `12.5` with two decimals is 1250; more decimals than the currency has are
 * rejected. The classic export writes `12,5` if its shop shows prices so; a comma before three digits may separate
 * thousands, and is rejected.
 */
export function priceIn(cell: string, decimals: number): CellResult<number> {
  const parsed = parseAmount(/^[+-]?\d*,\d{1,2}$/.test(cell) ? cell.replace(',', '.') : cell, decimals)
  if (parsed.ok && parsed.minor < 0) return { problem: 'must not be negative' }
  if (parsed.ok) return parsed.minor > largestPrice ? { problem: 'is too large' } : { value: parsed.minor }
  switch (parsed.reason) {
    case 'too-many-decimals':
      return { problem: `has more than ${decimals} decimals` }
    case 'too-large':
      return { problem: 'is too large' }
    default:
      return { problem: 'must be a price like 12.50, without thousands separators' }
  }
}

/** Parses a weight or size to whole small units (grams, millimetres), rounded to the nearest. */
export function measureIn(cell: string, smallUnits: number): CellResult<number> {
  if (!/^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(cell)) {
    return { problem: cell.startsWith('-') ? 'must not be negative' : 'must be a number like 0.4, with a point' }
  }
  const value = Math.round(Number(cell) * smallUnits)
  return value <= largestInteger ? { value } : { problem: 'is too large' }
}

export function referenceIn(cell: string): CellResult<ProductReference> {
  const id = /^id:\s*(\d{1,10})$/i.exec(cell)?.[1]
  if (id === undefined) return { value: { sku: cell } }
  return Number(id) > 0 ? { value: { id: Number(id) } } : { problem: 'is not a product number' }
}

/** Returns the key that two references to one product share: SKUs match in any case. */
export function referenceKey(reference: ProductReference): string {
  return 'sku' in reference ? `sku:${reference.sku.toLowerCase()}` : `id:${reference.id}`
}

/**
 * Parses a day in the shop's time zone to the instant of its start or end (its last millisecond). A time of day may
 * follow, with a single-digit hour, as in the classic export: `2026-12-01 0:00:00`.
 * @param timeZone an IANA name
 */
export function dayIn(cell: string, edge: 'start' | 'end', timeZone: string): CellResult<Date> {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(cell)
  const problem = 'must be a date like 2026-12-31'
  if (!parts) return { problem }
  const [year = 0, month = 0, day = 0, hour, minute, second] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const timed = hour !== undefined
  const local = Date.UTC(year, month - 1, day, hour ?? 0, minute ?? 0, second ?? 0)
  const back = new Date(local)
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || (timed && back.getUTCHours() !== hour))
    return { problem }
  if (edge === 'start' || timed) return { value: momentIn(local, timeZone) }
  return { value: new Date(momentIn(Date.UTC(year, month - 1, day + 1), timeZone).getTime() - 1) }
}

/**
 * Formats a time for people in a time zone: the day that it starts or ends, else day and time. The inverse of `dayIn`,
 * except for an hour repeated by a clock change.
 */
export function dayText(at: Date, edge: 'start' | 'end', timeZone: string): string {
  // The Swedish date format is that of ISO 8601.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
  const day = local.slice(0, 10)
  const read = dayIn(day, edge, timeZone)
  return 'value' in read && read.value.getTime() === at.getTime() ? day : local
}

/**
 * Returns the instant at which clocks in the zone show `local` (as if it were UTC). A time skipped by a clock change is
 * moved forward by the change.
 */
function momentIn(local: number, timeZone: string): Date {
  // Calculated twice, because the first offset may be from the other side of a clock change.
  const first = local - offsetAt(local, timeZone)
  const second = local - offsetAt(first, timeZone)
  return new Date(local - offsetAt(second, timeZone) === second ? second : Math.max(first, second))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(instant: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const shown = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
  return shown - Math.floor(instant / 1000) * 1000
}

/**
 * Returns the key of a name, by which a class or attribute is found; it must never change, as it is stored with
 * products. `nameSlug` creates the slugs of new things. '' when nothing is left.
 */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 150)
    .replace(/-+$/, '')
    .normalize('NFC')
}

/**
 * Parses a tax class by its slug or name; the standard one has neither.
 * @param classes the shop's other classes
 */
export function taxClassIn(cell: string, classes: readonly string[]): CellResult<string> {
  const slug = slugOf(cell)
  if (slug === '' || slug === 'standard') return { value: '' }
  const known = classes.map(slugOf)
  return known.includes(slug) ? { value: slug } : { problem: `must be a tax class of the shop: ${known.join(', ')}` }
}
