const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(language, { ...options, numberingSystem: 'latn' })
  formats.set(key, format)
  return format
}

/** A number as the language writes it, in Western digits as prices are. @param decimals so many; left out: as many as it has */
export function writtenNumber(value: number, language: string, decimals?: number): string {
  const places = decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return formatOf(language, { useGrouping: false, ...places }).format(value)
}

/** The sign of a unit: kg, in Arabic كغم. */
export function unitSign(unit: 'kilogram' | 'centimeter', language: string): string {
  const parts = formatOf(language, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(20)
  return parts.find(({ type }) => type === 'unit')?.value.trim() ?? ''
}
