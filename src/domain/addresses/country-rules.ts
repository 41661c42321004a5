import type { AddressKey } from './address-fields.ts'

/** A country's changes to a field. Labels are English originals; pages translate them. */
export type FieldRule = {
  readonly label?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly hidden?: boolean
  readonly priority?: number
  readonly class?: readonly string[]
}

export type CountryRules = Readonly<Partial<Record<AddressKey, FieldRule>>>

type Entry = readonly [countries: string, field: AddressKey, rule: FieldRule]

const away: FieldRule = { required: false, hidden: true }
const optional: FieldRule = { required: false }
const required: FieldRule = { required: true }
const first = ['form-row-first', 'address-field']
const last = ['form-row-last', 'address-field']

/** Where the family name comes first, the names are swapped and the postcode is the first field. */
const familyNameFirst: readonly Entry[] = [
  ['HU JP', 'last_name', { priority: 10, class: ['form-row-first'] }],
  ['HU JP', 'first_name', { priority: 20, class: ['form-row-last'] }],
  ['HU JP', 'postcode', { priority: 65, class: first }],
]

const entries: readonly Entry[] = [
  [
    'AF AT AX BA BE BH BI BW CY CZ DK EE ET FI FR GF GP IL IM IS KR KW LB LI LK LU MF MQ MT NL NO PL PR PT RE RW SE SG SI SK VN YT',
    'state',
    away,
  ],
  ['AE BG BZ CH CW DE GB GG GR HU LV NZ RS', 'state', optional],
  ['IT JM KN RO UG', 'state', required],
  ['BA CH', 'state', { label: 'Canton' }],
  ['AL GB HU IE RO', 'state', { label: 'County' }],
  ['BO CO GT HN NI PY SV UY', 'state', { label: 'Department' }],
  ['BD BW RS ST UG', 'state', { label: 'District' }],
  ['LV', 'state', { label: 'Municipality' }],
  ['MD', 'state', { label: 'Municipality / District' }],
  ['GG JM KN', 'state', { label: 'Parish' }],
  ['JP', 'state', { label: 'Prefecture', priority: 66, class: last }],
  ['AO CA CN CR DO EC ES ID IT MZ PA TR ZA', 'state', { label: 'Province' }],
  ['CL GH HK NZ', 'state', { label: 'Region' }],
  ['AU IN NG US', 'state', { label: 'State' }],
  ['NP', 'state', { label: 'State / Zone' }],

  ['AE AO BO BS BW BZ CW MZ NG SR ST UG WS ZW', 'postcode', away],
  ['BD BH CL CO GH GT HK JM KN NP VN', 'postcode', optional],
  ['VN', 'postcode', { hidden: false }],
  ['IE RS', 'postcode', required],
  ['AT AX BA BE CH DE DK EE ES FI FR HU IL IS IT JP LI NL NO PL SE SI SK TR VN', 'postcode', { priority: 65 }],
  ['US', 'postcode', { label: 'ZIP Code' }],
  ['AU GB NG NZ', 'postcode', { label: 'Postcode' }],
  ['CA KN', 'postcode', { label: 'Postal code' }],
  ['JM', 'postcode', { label: 'Postal Code' }],
  ['IE', 'postcode', { label: 'Eircode' }],
  ['IN', 'postcode', { label: 'PIN Code' }],

  ['SG', 'city', optional],
  ['CL RS UG', 'city', required],
  ['AU', 'city', { label: 'Suburb' }],
  ['PR', 'city', { label: 'Municipality' }],
  ['HK', 'city', { label: 'Town / District' }],
  ['UG', 'city', { label: 'Town / Village' }],
  ['JM', 'city', { label: 'Town / City / Post Office' }],

  ['VN', 'address_2', { required: false, hidden: false }],

  ...familyNameFirst,
  ['HU', 'city', { class: last }],
  ['HU', 'address_1', { priority: 71 }],
  ['HU', 'address_2', { priority: 72 }],
  ['JP', 'city', { priority: 67 }],
  ['JP', 'address_1', { priority: 68 }],
  ['JP', 'address_2', { priority: 69 }],
  ['IR', 'state', { priority: 50 }],
  ['IR', 'city', { priority: 60 }],
  ['IR', 'address_1', { priority: 70 }],
  ['IR', 'address_2', { priority: 80 }],
]

const rulesByCountry = new Map<string, Partial<Record<AddressKey, FieldRule>>>()
for (const [countries, field, rule] of entries) {
  for (const country of countries.split(' ')) {
    const rules = rulesByCountry.get(country) ?? {}
    rulesByCountry.set(country, { ...rules, [field]: { ...rules[field], ...rule } })
  }
}

/** Countries with changes, in alphabetical order. */
export const countriesWithRules: readonly string[] = [...rulesByCountry.keys()].sort()

/**
 * Returns a country's changes to the default fields. The country field itself never changes.
 * @param base the shop's own country: a shop in Chile needs no postcode for addresses in Chile
 */
export function rulesFor(country: string, base: string): CountryRules {
  const rules = rulesByCountry.get(country) ?? {}
  return country === 'CL' && base === 'CL' ? { ...rules, postcode: { ...rules.postcode, hidden: true } } : rules
}
