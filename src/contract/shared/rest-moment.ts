import { dayIn } from '../import/product-csv-cells.ts'

/**
 * Converts a time of a program: without an offset it is in the given time zone.
 * @param text validated by `dateText`
 */
export function instantOf(text: string, timeZone: string): Date {
  const [, local = '', offset] = /^(.+?)(Z|[+-]\d{2}:?\d{2})$/i.exec(text) ?? []
  if (offset) return new Date((local.length === 10 ? `${local}T00:00` : local.replace(' ', 'T')) + offset)
  const read = dayIn(text.replace(/\.\d+$/, ''), 'start', timeZone)
  if ('problem' in read) throw new Error(`${text} ${read.problem}`)
  return read.value
}
