export type ParsedAmount =
  | { readonly ok: true; readonly minor: number }
  | { readonly ok: false; readonly reason: 'empty' | 'not-a-number' | 'too-many-decimals' | 'too-large' }

/**
 * Parses `12.50` as 1250 minor units, without any binary fraction. Zeros beyond the currency's decimals are accepted
 * (`12.5000`), other digits there are rejected rather than rounded away.
 */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, reason: 'empty' }
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(trimmed)
  const whole = match?.[2] ?? ''
  const fraction = (match?.[3] ?? '').replace(/0+$/, '')
  if (!match || (whole === '' && !match[3])) return { ok: false, reason: 'not-a-number' }
  if (fraction.length > decimals) return { ok: false, reason: 'too-many-decimals' }
  // Below 16 digits the text is certainly exact as a number; longer ones are checked.
  const digits = whole.replace(/^0+/, '') + fraction.padEnd(decimals, '0')
  const minor = Number(digits === '' ? '0' : digits)
  if (digits.length > 16 || !Number.isSafeInteger(minor)) return { ok: false, reason: 'too-large' }
  return { ok: true, minor: match[1] === '-' && minor !== 0 ? -minor : minor }
}
