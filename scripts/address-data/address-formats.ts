import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { countryCodes } from '#domain/addresses/countries.ts'
import { rulesFor } from '#domain/addresses/country-rules.ts'
import { statesOf } from '#domain/addresses/states.ts'

/** `localized-address-format` keeps its table to itself; it stands in the source as one literal. */
const source = readFileSync(createRequire(import.meta.url).resolve('localized-address-format'), 'utf8')

/** Format by country in the library's letters; the Latin one where there are two. */
const published = new Map(
  [...source.matchAll(/\['([A-Z]{2})', \{ local: '([^']*)'(?:, latin: '([^']*)')? \}\]/g)].map(
    ([, country = '', local = '', latin]) => [country, latin ?? local],
  ),
)

const usual = '{name}\n{company}\n{address_1}\n{address_2}\n{city}\n{state}\n{postcode}'
const familyFirst = '{last_name} {first_name}'

/** Where the library's line is none for forms that ask a city, or leaves out what a letter there has. */
const ours: Readonly<Record<string, string>> = {
  CI: '{name}\n{company}\n{address_1}\n{address_2}\n{city}\n{state}\n{postcode}',
  GN: '{name}\n{company}\n{address_1}\n{address_2}\n{postcode} {city}\n{state}',
  HU: `${familyFirst}\n{company}\n{city}\n{address_1}\n{address_2}\n{postcode}`,
  JP: `〒{postcode}\n{state} {city}\n{address_1}\n{address_2}\n{company}\n${familyFirst}`,
  MZ: '{name}\n{company}\n{address_1}\n{address_2}\n{postcode} {city}\n{state}',
  SG: '{name}\n{company}\n{address_1}\n{address_2}\n{city} {postcode}',
}

/** Letters there name the state by its short code. */
const shortState = new Set('AU BR CA IT US'.split(' '))
/** Its post asks for towns in capitals. */
const capitalTown = new Set('BL FR GF GP MF MQ NC PF PM RE WF YT'.split(' '))

/** The formats that differ from the usual one, each with its countries. */
export function addressFormats(): { usual: string; others: [format: string, countries: string][] } {
  const byFormat = new Map<string, string[]>()
  for (const country of countryCodes) {
    const format = formatOf(country)
    if (format !== usual) byFormat.set(format, [...(byFormat.get(format) ?? []), country])
  }
  return { usual, others: [...byFormat].map(([format, countries]) => [format, countries.join(' ')]) }
}

function formatOf(country: string): string {
  const library = published.get(country)
  const format = ours[country] ?? (library === undefined ? usual : complete(inOurWords(library), country))
  return format
    .replace('{city}', capitalTown.has(country) ? '{city_upper}' : '{city}')
    .replace('{state}', shortState.has(country) ? '{state_code}' : '{state}')
}

const words: Readonly<Record<string, string>> = {
  '%N': '{name}',
  '%O': '{company}',
  '%A': '{address_1}\n{address_2}',
  '%C': '{city}',
  '%S': '{state}',
  '%Z': '{postcode}',
  '%n': '\n',
}

/** Parts of towns and sorting codes, which no form asks for, fall out; so do country prefixes of postcodes and country names. */
function inOurWords(library: string): string {
  return library
    .replace(/%[A-Zn]/g, (letter) => words[letter] ?? '')
    .split('\n')
    .filter((line) => line.includes('{'))
    .map((line) =>
      line
        .replace(/^[A-Z]{1,2}[- ]?(?=\{postcode\})/, '')
        .replace(/^[ ,-]+|[ ,-]+$/g, '')
        .trim(),
    )
    .join('\n')
}

/** Whatever the form asks for has its place: the town and postcode always, the state where it is demanded or written freely. */
function complete(format: string, country: string): string {
  const state = rulesFor(country, '').state
  const states = statesOf(country)
  const asksState = state?.hidden !== true && states?.size !== 0 && (state?.required !== false || states === null)
  let whole = format
  if (!whole.includes('{city}')) whole = beforeLineOf(['{state}', '{postcode}'], '{city}', whole)
  if (asksState && !whole.includes('{state}')) whole = whole.replace(/^.*\{city\}.*$/m, '$&\n{state}')
  if (!whole.includes('{postcode}')) whole += '\n{postcode}'
  return whole
}

function beforeLineOf(fields: readonly string[], line: string, format: string): string {
  const lines = format.split('\n')
  const at = lines.findIndex((each) => fields.some((field) => each.includes(field)))
  return lines.toSpliced(at < 0 ? lines.length : at, 0, line).join('\n')
}
