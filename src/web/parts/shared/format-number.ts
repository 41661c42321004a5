const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(language, { ...options, numberingSystem: 'latn' })
  formats.set(key, format)
  return format
}

/**
 * Formats a number in a language, in Western digits like prices. @param decimals fixed number; default: as many as the
 * value has
 */
export function writtenNumber(value: number, language: string, decimals?: number): string {
  const places = decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return formatOf(language, { useGrouping: false, ...places }).format(value)
}

/** Returns the localized symbol of a unit: kg, in Arabic كغم. */
export function unitSign(unit: 'kilogram' | 'centimeter', language: string): string {
  const parts = formatOf(language, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(20)
  return parts.find(({ type }) => type === 'unit')?.value.trim() ?? ''
}
