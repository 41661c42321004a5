import type { CardField, CardFieldState } from '../provider.ts'

/** Returns the provider's error code for an invalid field. */
export const codeOf = (field: CardField) => `INVALID_${field.toUpperCase()}`

/** Returns the field of an error code; undefined for another code, or for several fields. */
export function fieldOf(code: string | undefined): CardField | undefined {
  if (code === 'INELIGIBLE_CARD_VENDOR') return 'number'
  const fields = ['name', 'number', 'expiry', 'cvv'] as const
  return fields.find((field) => codeOf(field) === code)
}

/**
 * Returns the error of a field after an event, '' for none, by the texts of the provider's codes; undefined when it stays.
 */
export function faultAfter(
  event: 'change' | 'focus' | 'blur',
  field: CardField,
  { isEmpty, isValid }: CardFieldState,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  if (event === 'change') return isValid ? '' : undefined
  if (event === 'focus' || (isValid && !isEmpty)) return undefined
  return isEmpty ? '' : (texts[codeOf(field)] ?? '')
}
