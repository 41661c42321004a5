import type { ReactNode } from 'react'
import { type AddressKind, autocompleteOf, defaultWishes, fieldsFor } from '#domain/addresses/address-fields.ts'
import { addressLocale } from '#domain/addresses/address-locale.ts'
import { countryCodes } from '#domain/addresses/countries.ts'
import { statesByCountry, statesOf } from '#domain/addresses/states.ts'
import type { FieldFacts } from '#shop/checkout/checkout-facts.ts'
import { FormRow } from '#web/parts/shared/form-row.tsx'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Every country by its name, as a shop offers them that sells everywhere. */
export const everyCountry = countryCodes
  .map((value) => ({ value, label: names.of(value) ?? value }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

/** The fields of an address as the shop renders them for a country. */
export function AddressFields({ kind, country = 'US' }: { kind: AddressKind; country?: string }): ReactNode {
  return (
    <div className={`woocommerce-${kind}-fields`}>
      <div className={`woocommerce-${kind}-fields__field-wrapper`}>
        {fieldsOf(kind, country).map((field) => (
          <FormRow key={field.id} field={field} />
        ))}
      </div>
    </div>
  )
}

function fieldsOf(kind: AddressKind, country: string): FieldFacts[] {
  return fieldsFor(kind, country, 'US').map((field) => ({
    id: `${kind}_${field.key}`,
    label: field.label,
    labelHidden: field.labelHidden,
    placeholder: field.placeholder,
    type: field.type,
    required: field.required,
    hidden: field.hidden,
    priority: field.priority,
    rowClasses: field.class,
    validate: [...(field.required ? (['required'] as const) : []), ...field.validate],
    autocomplete: autocompleteOf(kind, field),
    value: field.key === 'country' ? country : '',
    options:
      field.type === 'country'
        ? everyCountry
        : field.type === 'state'
          ? [...(statesOf(country) ?? [])].map(([value, label]) => ({ value, label }))
          : [],
    ...(field.type === 'state' ? { printedFor: country } : {}),
  }))
}

/** What the shop's file of address data holds. */
export const addressData = {
  locale: addressLocale(countryCodes, 'US', defaultWishes, (text) => text),
  states: statesByCountry(countryCodes),
}

export const addressDataUrl = '/address-data/0123456789abcdef0123456789abcdef.json'

/** The settings of a page that leaves all countries but the shop's own to its file. */
export const addressSettings = {
  wc_country_select_params: {
    countries: JSON.stringify({ US: addressData.states.US }),
    i18n_select_state_text: 'Select an option…',
  },
  wc_address_i18n_params: {
    locale: JSON.stringify({ default: addressData.locale.default, US: addressData.locale.US }),
    locale_fields: '',
    i18n_required_text: 'required',
    i18n_optional_text: 'optional',
    locale_url: addressDataUrl,
  },
}

/** The same, printed. */
export const printedAddressSettings = {
  wc_country_select_params: {
    ...addressSettings.wc_country_select_params,
    countries: JSON.stringify(addressData.states),
  },
  wc_address_i18n_params: {
    ...addressSettings.wc_address_i18n_params,
    locale: JSON.stringify(addressData.locale),
    locale_url: '',
  },
}
