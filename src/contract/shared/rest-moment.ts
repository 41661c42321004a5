import { dayIn } from '../import/product-csv-cells.ts'

/**
 * Returns the instant of a parameter of the REST interfaces. Without an offset it is in the given time zone.
 * @param text validated by `dateText`
 * @param edge for a day without a time: its start, or its last millisecond
 */
export function momentIn(text: string, timeZone: string, edge: 'start' | 'end' = 'start'): Date {
  const [, local = '', offset] = /^(.+?)(Z|[+-]\d{2}:?\d{2})$/i.exec(text) ?? []
  // A day has hyphens, but no offset behind a colon or a T.
  if (offset && /[T ]/.test(local)) return new Date(local.replace(' ', 'T') + offset)
  if (offset && /^z$/i.test(offset)) return new Date(`${local}T00:00Z`)
  const read = dayIn(text.replace(/\.\d+$/, ''), edge, timeZone)
  if ('problem' in read) throw new Error(`${text} ${read.problem}`)
  return read.value
}
