import { dayRates, type RatesRead } from './rates.ts'

/**
 * Parses open rates: `{"base": "EUR", "date": "2026-01-05", "rates": {"USD": 1.0845}}`, the format of Frankfurter and
 * similar services. Figures may also be strings.
 */
export function readJsonRates(text: string): RatesRead {
  const parsed = parse(text)
  if (!isMembers(parsed)) return { ok: false, fault: 'it is no JSON object' }
  const { base, date, rates, amount = 1 } = parsed
  if (typeof base !== 'string') return { ok: false, fault: 'it does not say for one of which currency ("base")' }
  if (typeof date !== 'string') return { ok: false, fault: 'it does not say of which day ("date")' }
  // For a requested amount these services return the multiplied rate.
  if (amount !== 1) return { ok: false, fault: 'its rates are not for one of the base ("amount")' }
  if (!isMembers(rates)) return { ok: false, fault: 'there are no rates in it' }
  return dayRates(
    base,
    date,
    Object.entries(rates).map(([code, figure]) => [code, figureText(figure)] as const),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the text of a figure: the shortest text of a number is the written one, up to the stored precision. */
function figureText(figure: unknown): string {
  return typeof figure === 'number' || typeof figure === 'string' ? String(figure) : typeof figure
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
