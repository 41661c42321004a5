import { dayIn } from '#contract/import/product-csv-cells.ts'

/**
 * Returns the moment of a date parameter, or null if it is absent.
 * @param text validated by `dateText`
 * @param timeZone applies to texts without an offset
 */
export function momentOf(text: string | undefined, timeZone: string): Date | null {
  if (text === undefined) return null
  const [, local = '', offset] = /^(.+?)(Z|[+-]\d{2}:?\d{2})$/i.exec(text) ?? []
  if (offset) return new Date((local.length === 10 ? `${local}T00:00` : local.replace(' ', 'T')) + offset)
  const read = dayIn(text.replace(/\.\d+$/, ''), 'start', timeZone)
  if ('problem' in read) throw new Error(`${text} ${read.problem}`)
  return read.value
}
