import { type AddressKey, defaultFields, type FieldWishes, placeholderText } from './address-fields.ts'
import { rulesFor } from './country-rules.ts'
import { missingText } from './field-errors.ts'

/** The rules of one address field. A country lists only its changes. */
export type FieldLocale = {
  readonly label?: string
  /** The text under the empty field. */
  readonly missing?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly hidden?: boolean
  readonly priority?: number
  readonly class?: readonly string[]
  readonly autocomplete?: string
}

/** `default` or a country → field → its rules. */
export type AddressLocale = Readonly<Record<string, Readonly<Partial<Record<AddressKey, FieldLocale>>>>>

/**
 * Returns the rules by which a browser adapts address fields to a country: the default, each country's changes, and the
 * shop's own country, which always has an entry.
 * @param translate returns a label or placeholder in the reader's language
 */
export function addressLocale(
  countries: readonly string[],
  base: string,
  wishes: FieldWishes,
  translate: (original: string) => string,
): AddressLocale {
  const wordsOf = (label: string) => ({ label: translate(label), missing: translate(missingText(label)) })
  const usual: Partial<Record<AddressKey, FieldLocale>> = {}
  for (const field of defaultFields('billing', wishes)) {
    const { key, label, placeholder, required, hidden, priority, autocomplete } = field
    const words = {
      ...wordsOf(label),
      ...(placeholder ? { placeholder: placeholderText(placeholder, translate) } : {}),
    }
    usual[key] = { ...words, required, hidden, priority, class: field.class, autocomplete }
  }
  const locale: Record<string, Partial<Record<AddressKey, FieldLocale>>> = { default: usual }
  for (const country of new Set([...countries, base])) {
    const rules = Object.entries(rulesFor(country, base)).map(([key, rule]) => [
      key,
      { ...rule, ...(rule.label === undefined ? {} : wordsOf(rule.label)) },
    ])
    if (rules.length > 0) locale[country] = Object.fromEntries(rules)
    else if (country === base) locale[country] = usual
  }
  return locale
}
