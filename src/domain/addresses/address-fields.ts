import { visibleText } from '../translation/visible-text.ts'
import { rulesFor } from './country-rules.ts'

export const addressKeys = [
  'first_name',
  'last_name',
  'company',
  'country',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'phone',
  'email',
] as const

/** Fields of an address without its email, in the order of the public interfaces. */
export const postalKeys = [
  'first_name',
  'last_name',
  'company',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'country',
  'phone',
] as const satisfies readonly AddressKey[]

export type PostalKey = (typeof postalKeys)[number]

export type AddressKey = (typeof addressKeys)[number]

/** An address in forms and sessions. A missing field is `''`. */
export type Address = Readonly<Record<AddressKey, string>>

export type AddressKind = 'billing' | 'shipping'

/** The merchant's settings for optional fields. */
export type FieldWishes = Readonly<Record<'company' | 'address_2' | 'phone', 'hidden' | 'optional' | 'required'>>

export const defaultWishes: FieldWishes = { company: 'optional', address_2: 'optional', phone: 'required' }

export type AddressField = {
  readonly key: AddressKey
  /** English original; pages translate it. */
  readonly label: string
  /** The label is only for screen readers. */
  readonly labelHidden: boolean
  readonly placeholder: string
  readonly type: 'text' | 'email' | 'tel' | 'country' | 'state'
  readonly required: boolean
  readonly hidden: boolean
  readonly priority: number
  readonly class: readonly string[]
  readonly validate: readonly ('email' | 'phone' | 'postcode' | 'state')[]
  /** The last word of the autocomplete attribute. */
  readonly autocomplete: string
}

type Defaults = Omit<AddressField, 'labelHidden' | 'placeholder' | 'type' | 'required' | 'hidden' | 'validate'> &
  Partial<Pick<AddressField, 'labelHidden' | 'placeholder' | 'type' | 'validate'>>

const wide = ['form-row-wide']
const address = ['form-row-wide', 'address-field']

const defaults: readonly Defaults[] = [
  { key: 'first_name', label: 'First name', priority: 10, class: ['form-row-first'], autocomplete: 'given-name' },
  { key: 'last_name', label: 'Last name', priority: 20, class: ['form-row-last'], autocomplete: 'family-name' },
  { key: 'company', label: 'Company name', priority: 30, class: wide, autocomplete: 'organization' },
  {
    key: 'country',
    label: 'Country / Region',
    type: 'country',
    priority: 40,
    class: [...address, 'update_totals_on_change'],
    autocomplete: 'country',
  },
  {
    key: 'address_1',
    label: 'Street address',
    placeholder: 'House number and street name',
    priority: 50,
    class: address,
    autocomplete: 'address-line1',
  },
  {
    key: 'address_2',
    label: 'Apartment, suite, unit, etc.',
    labelHidden: true,
    placeholder: 'Apartment, suite, unit, etc.',
    priority: 60,
    class: address,
    autocomplete: 'address-line2',
  },
  { key: 'city', label: 'Town / City', priority: 70, class: address, autocomplete: 'address-level2' },
  {
    key: 'state',
    label: 'State / County',
    type: 'state',
    priority: 80,
    class: address,
    autocomplete: 'address-level1',
    validate: ['state'],
  },
  {
    key: 'postcode',
    label: 'Postcode / ZIP',
    priority: 90,
    class: address,
    autocomplete: 'postal-code',
    validate: ['postcode'],
  },
  { key: 'phone', label: 'Phone', type: 'tel', priority: 100, class: wide, autocomplete: 'tel', validate: ['phone'] },
  {
    key: 'email',
    label: 'Email address',
    type: 'email',
    priority: 110,
    class: wide,
    autocomplete: 'email',
    validate: ['email'],
  },
]

const optional = ' (optional)'

/** Translates a placeholder; the suffix for an optional field is translated separately. */
export function placeholderText(placeholder: string, translate: (original: string) => string): string {
  if (!placeholder.endsWith(optional)) return placeholder && translate(placeholder)
  return `${translate(placeholder.slice(0, -optional.length))} ${translate(optional.trim())}`
}

/** Returns the fields before country rules, in order. Fields that the merchant hides are left out. */
export function defaultFields(kind: AddressKind, wishes: FieldWishes = defaultWishes): AddressField[] {
  return defaults.flatMap((field) => {
    if (kind === 'shipping' && (field.key === 'email' || field.key === 'phone')) return []
    const wish =
      field.key === 'company' || field.key === 'address_2' || field.key === 'phone' ? wishes[field.key] : 'required'
    if (wish === 'hidden') return []
    const placeholder = field.placeholder ?? ''
    return {
      ...field,
      labelHidden: field.labelHidden ?? false,
      placeholder: field.key === 'address_2' && wish === 'optional' ? placeholder + optional : placeholder,
      type: field.type ?? 'text',
      required: wish === 'required',
      hidden: false,
      validate: field.validate ?? [],
    }
  })
}

/** Returns the fields of a country, sorted by priority. An unknown country has the defaults. */
export function fieldsFor(
  kind: AddressKind,
  country: string,
  base: string,
  wishes: FieldWishes = defaultWishes,
): AddressField[] {
  const rules = rulesFor(country, base)
  return defaultFields(kind, wishes)
    .map((field) => ({ ...field, ...rules[field.key] }))
    .sort((a, b) => a.priority - b.priority)
}

/** Returns the autocomplete attribute: `section-billing billing given-name` */
export function autocompleteOf(kind: AddressKind, field: AddressField): string {
  return `section-${kind} ${kind} ${field.autocomplete}`
}

/** Returns true if a value contains more than spaces and invisible characters. */
export function isFilled(value: string | undefined): boolean {
  return visibleText(value ?? '') !== ''
}

/**
 * Returns true if an address has a country and all of its required fields.
 * @param except fields that may be missing, such as phone and email of a wallet's address
 */
export function isComplete(
  kind: AddressKind,
  values: Readonly<Partial<Record<AddressKey, string>>>,
  base: string,
  {
    except = [],
    wishes = defaultWishes,
  }: { readonly except?: readonly AddressKey[]; readonly wishes?: FieldWishes } = {},
): boolean {
  const country = values.country ?? ''
  if (!isFilled(country)) return false
  return fieldsFor(kind, country, base, wishes).every(
    ({ key, required, hidden }) => !required || hidden || except.includes(key) || isFilled(values[key]),
  )
}

/** Returns true if shipping can be calculated: the country, and state and postcode if the country requires them. */
export function canShipTo(
  place: { readonly country: string; readonly state: string; readonly postcode: string },
  base: string,
): boolean {
  if (!isFilled(place.country)) return false
  return fieldsFor('shipping', place.country, base).every(
    ({ key, required, hidden }) =>
      (key !== 'state' && key !== 'postcode') || !required || hidden || isFilled(place[key]),
  )
}
