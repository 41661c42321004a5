import type { Address } from './address-fields.ts'
import { formatsByCountries, usualFormat } from './data/address-formats.ts'
import { fullName } from './full-name.ts'
import { stateName } from './states.ts'

/** The parts of a postal address; a missing or empty part is left out. */
export type WrittenAddress = Readonly<Partial<Omit<Address, 'phone' | 'email'>>>

type Part = 'first_name' | 'last_name' | 'name' | 'company' | 'address_1' | 'address_2' | 'city' | 'state' | 'postcode'

const formats = new Map<string, string>(
  formatsByCountries.flatMap(([format, countries]) =>
    countries.split(' ').map((country) => [country, format] as const),
  ),
)

/** Returns a country's address format in lines, such as `{postcode} {city}`. The country is added below. */
export function addressFormat(country: string): string {
  return formats.get(country) ?? usualFormat
}

/**
 * Formats an address in its country's lines, the name of the country last.
 * @param base within this country the country name is left out
 * @param countryName returns the name of a country in the reader's language
 * @param language of the reader; states have local names in their own language
 * @param forceCountry adds the country name in the base country too
 */
export function formatAddress(
  address: WrittenAddress,
  {
    base,
    countryName,
    language = '',
    forceCountry = false,
  }: {
    readonly base: string
    readonly countryName: (code: string) => string
    readonly language?: string
    readonly forceCountry?: boolean
  },
): string[] {
  const country = address.country ?? ''
  const values = valuesOf(address, language)
  const lines = addressFormat(country)
    .split('\n')
    .map((line) => fillLine(line, values))
  if (country !== '' && (forceCountry || country !== base)) lines.push(countryName(country))
  return lines.filter((line) => line !== '')
}

function valuesOf(address: WrittenAddress, language: string): ReadonlyMap<string, string> {
  const text = (key: keyof WrittenAddress) => (address[key] ?? '').trim()
  const plain: Record<Part, string> = {
    first_name: text('first_name'),
    last_name: text('last_name'),
    name: fullName({ first_name: text('first_name'), last_name: text('last_name') }),
    company: text('company'),
    address_1: text('address_1'),
    address_2: text('address_2'),
    city: text('city'),
    state: stateName(text('country'), text('state'), language),
    postcode: text('postcode'),
  }
  return new Map<string, string>([
    ...Object.entries(plain),
    ...Object.entries(plain).map(([key, value]) => [`${key}_upper`, value.toLocaleUpperCase('en')] as const),
    ['state_code', text('state')],
  ])
}

/** Fills a line. Text between two parts stays only if both exist, and a prefix is removed with its part. */
function fillLine(line: string, values: ReadonlyMap<string, string>): string {
  let text = ''
  let between = ''
  for (const piece of line.split(/(\{\w+\})/)) {
    if (!piece.startsWith('{')) {
      between = piece
      continue
    }
    const value = values.get(piece.slice(1, -1)) ?? ''
    if (value === '') continue
    const opening = text === '' && line.startsWith(between + piece)
    text += (text !== '' || opening ? between : '') + value
    between = ''
  }
  return text
}
