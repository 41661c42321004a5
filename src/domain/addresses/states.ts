import { stateAliases } from './data/state-aliases.ts'
import { stateLists } from './data/state-lists.ts'
import { stateNames } from './data/state-names.ts'
import { foldedName } from './folded-name.ts'

/** Code → name, in the order of the list. */
export type StateList = ReadonlyMap<string, string>

/** Countries whose addresses have no state: the field is hidden. */
const stateless: readonly string[] =
  'AF AT AX BE BH BI CZ DK EE ET FI FR GF GP IL IM IS KR KW LB LI LK LU MF MQ MT NL NO PL PR PT RE RW SE SG SI SK VN YT'.split(
    ' ',
  )

const none: StateList = new Map()
const lists = new Map<string, StateList | null>()
const codes = new Map<string, ReadonlyMap<string, string>>()

/**
 * Returns the states of a country: a list, an empty list (it has none), or null (unknown: a text field).
 * @param language of the reader, a BCP 47 tag: where it is spoken, states have their local names; default: English
 */
export function statesOf(country: string, language = ''): StateList | null {
  if (!Object.hasOwn(stateLists, country)) return stateless.includes(country) ? none : null
  const own = namesIn(language, country)
  const key = own === undefined ? country : `${bare(language)} ${country}`
  const known = lists.get(key)
  if (known !== undefined) return known
  const english = pairs(stateLists[country])
  const names = new Map(pairs(own))
  const list =
    names.size === english.length ? names : new Map(english.map(([code, name]) => [code, names.get(code) ?? name]))
  lists.set(key, list)
  return list
}

const bare = (language: string): string => language.split('-', 1)[0] ?? ''

function namesIn(language: string, country: string): string | undefined {
  const names = Object.hasOwn(stateNames, bare(language)) ? stateNames[bare(language)] : undefined
  return names && Object.hasOwn(names, country) ? names[country] : undefined
}

/** Returns country → code → name for the browser; countries with unknown states are left out. */
export function statesByCountry(
  countries: readonly string[] = [...stateless, ...Object.keys(stateLists)],
  language = '',
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    countries.flatMap((country) => {
      const states = statesOf(country, language)
      return states ? [[country, Object.fromEntries(states)] as const] : []
    }),
  )
}

/**
 * Returns the code of a state by code or name, ignoring case and accents; local names and codes of the standard match
 * too. Null: missing in the country's list; the text itself if the country has no list.
 */
export function stateCode(country: string, typed: string): string | null {
  const states = statesOf(country)
  if (!states || states.size === 0) return typed
  const table = codes.get(country) ?? codeTable(country, states)
  codes.set(country, table)
  return table.get(foldedName(typed)) ?? null
}

/**
 * Drops a posted state of another country. Without scripts the state field does not follow a changed country: a code of
 * the printed list has no meaning in the new country (CA is California, and Cagliari). Any other text was entered for
 * the posted country, and is validated.
 * @param printedFor the country that the field was printed for, sent by browsers without scripts; else ''
 */
export function stateMeant(country: string, posted: string, printedFor: string): string {
  const before = printedFor.toUpperCase()
  return before !== country.toUpperCase() && statesOf(before)?.has(posted) ? '' : posted
}

/** Returns the name of a state in English or in its local form; an unknown code is returned unchanged. */
export function stateName(country: string, code: string, language = ''): string {
  return statesOf(country, language)?.get(code) ?? code
}

/** Folded text → code. Later entries win: codes over names, names over aliases. */
function codeTable(country: string, states: StateList): ReadonlyMap<string, string> {
  const table = new Map<string, string>()
  for (const [alias, code] of pairs(stateAliases[country])) table.set(foldedName(alias), code)
  for (const language of Object.keys(stateNames))
    for (const [code, name] of pairs(namesIn(language, country))) {
      // Tokyo's inhabitants write 東京 for 東京都.
      table.set(foldedName(name.replace(/[都府県]$/, '')), code)
      table.set(foldedName(name), code)
    }
  // `BY` for DE-BY: the standard's code is the list's without the country.
  for (const code of states.keys())
    if (code.toUpperCase().startsWith(country) && code.length > country.length)
      table.set(foldedName(code.slice(country.length)), code)
  for (const [code, name] of states) table.set(foldedName(name), code)
  for (const code of states.keys()) table.set(foldedName(code), code)
  return table
}

/** `code=name|…` */
function pairs(text = ''): [string, string][] {
  return text
    .split('|')
    .filter(Boolean)
    .map((entry) => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    })
}
