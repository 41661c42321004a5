import { type PostalKey, postalKeys } from '#domain/addresses/address-fields.ts'
import { countryCodes, isCountry } from '#domain/addresses/countries.ts'
import { stateCode } from '#domain/addresses/states.ts'
import type { CellResult } from '../import/product-csv-cells.ts'
import type { ColumnTitles, RowReader } from '../shared/record-csv.ts'

/** Address columns of customer and order files: the classic export's titles, then Shopify's. */

export type AddressKind = 'billing' | 'shipping'
export type AddressColumn = `${AddressKind}_${PostalKey | 'name'}`
export type CsvAddress = Readonly<Record<PostalKey, string>>

const otherNames: Readonly<Record<PostalKey | 'name', readonly string[]>> = {
  name: ['name', 'full name'],
  first_name: ['firstname'],
  last_name: ['lastname'],
  company: [],
  address_1: ['address1', 'address', 'street'],
  address_2: ['address2'],
  city: ['town'],
  state: ['state code', 'province code', 'province'],
  postcode: ['zip', 'postal code'],
  country: ['country code'],
  phone: [],
}

/** @param more further words before a field, such as `default address` in Shopify's customer file */
export function addressTitles(more: readonly string[] = []): ColumnTitles<AddressColumn> {
  const titles = (['billing', 'shipping'] as const).flatMap((kind) =>
    (['name', ...postalKeys] as const).map((field): [AddressColumn, string[]] => {
      const names = [...(field === 'name' ? [] : [field]), ...otherNames[field]]
      const kinds = kind === 'billing' ? [kind, ...more] : [kind]
      // Codes before names, where a file has both.
      const sorted = field === 'state' || field === 'country' ? [...names.slice(1), field] : names
      return [`${kind}_${field}`, kinds.flatMap((word) => sorted.map((name) => `${word} ${name}`))]
    }),
  )
  // Justifies the cast: one entry for each column.
  return Object.fromEntries(titles) as unknown as ColumnTitles<AddressColumn>
}

/** Reads one address; null where all of it is empty. */
export function readAddress<Column extends string>(
  reader: RowReader<Column | AddressColumn>,
  kind: AddressKind,
): CsvAddress | null {
  // Shopify writes an apostrophe before digits, so that spreadsheets keep leading zeros.
  const text = (field: PostalKey) => plainText(reader.text(`${kind}_${field}`).replace(/^'(?=\d)/, ''), 200)
  const country = reader.read(`${kind}_country`, '', countryIn)
  const state = text('state')
  const names = splitName(plainText(reader.text(`${kind}_name`), 200))
  const address = {
    first_name: text('first_name') || (text('last_name') === '' ? names.first : ''),
    last_name: text('last_name') || (text('first_name') === '' ? names.last : ''),
    company: text('company'),
    address_1: text('address_1'),
    address_2: text('address_2'),
    city: text('city'),
    state: country === '' ? state : (stateCode(country, state) ?? state),
    postcode: text('postcode'),
    country,
    phone: text('phone'),
  }
  return Object.values(address).every((value) => value === '') ? null : address
}

/** Splits a full name before its last word. */
export function splitName(name: string): { readonly first: string; readonly last: string } {
  const at = name.lastIndexOf(' ')
  return at < 0 ? { first: '', last: name } : { first: name.slice(0, at).trim(), last: name.slice(at + 1) }
}

/** Removes control characters, and cuts the text. */
export function plainText(text: string, longest: number): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

let codes: ReadonlyMap<string, string> | undefined

/** Parses a country by its two letters or its English name. */
function countryIn(text: string): CellResult<string> {
  const code = text.toUpperCase()
  if (isCountry(code)) return { value: code }
  if (!codes) {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    codes = new Map(countryCodes.map((each) => [(names.of(each) ?? each).toLowerCase(), each]))
  }
  const named = codes.get(text.toLowerCase())
  return named === undefined ? { problem: 'is no country: write its two letters, like DE' } : { value: named }
}
