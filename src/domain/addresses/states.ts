import { stateAliases } from './data/state-aliases.ts'
import { stateLists } from './data/state-lists.ts'
import { stateNames } from './data/state-names.ts'
import { foldedName } from './folded-name.ts'

/** Code → name, in the order of the list. */
export type StateList = ReadonlyMap<string, string>

/** Countries whose addresses have no state at all: the field is hidden. */
const stateless: readonly string[] =
  'AF AT AX BE BH BI CZ DK EE ET FI FR GF GP IL IM IS KR KW LB LI LK LU MF MQ MT NL NO PL PR PT RE RW SE SG SI SK VN YT'.split(
    ' ',
  )

const none: StateList = new Map()
const lists = new Map<string, StateList | null>()
const codes = new Map<string, ReadonlyMap<string, string>>()

/**
 * The states of a country: a list, an empty list (it has none), or null (not known: the visitor types).
 * @param language of the reader, a BCP 47 tag: where it is spoken, states have the names that people there know; left out: English
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

/** Country → code → name, as the browser gets it; countries whose states are not known are left out. */
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
 * The code of a state given by code or name, in any case, with or without accents; names in the country's own language
 * and the standard's codes do too. Null: the country has a list and it is not on it; the text itself where the country
 * has none.
 */
export function stateCode(country: string, typed: string): string | null {
  const states = statesOf(country)
  if (!states || states.size === 0) return typed
  const table = codes.get(country) ?? codeTable(country, states)
  codes.set(country, table)
  return table.get(foldedName(typed)) ?? null
}

/**
 * Drops a posted state that belongs to another country. Without scripts the state field stays as it was printed while the
 * country beside it changes: a code of the printed list says nothing about the new country (CA is California, and Cagliari).
 * Any other text was typed or chosen for the posted country, and stays to be checked.
 * @param printedFor the country that the field was printed for, sent by browsers without scripts; else ''
 */
export function stateMeant(country: string, posted: string, printedFor: string): string {
  const before = printedFor.toUpperCase()
  return before !== country.toUpperCase() && statesOf(before)?.has(posted) ? '' : posted
}

/** The name of a state for people, in English or as its own people say; what is no known code stays as it is. */
export function stateName(country: string, code: string, language = ''): string {
  return statesOf(country, language)?.get(code) ?? code
}

/** Folded text → code. What is set later wins: a code over a name, a name over what others call it. */
function codeTable(country: string, states: StateList): ReadonlyMap<string, string> {
  const table = new Map<string, string>()
  for (const [alias, code] of pairs(stateAliases[country])) table.set(foldedName(alias), code)
  for (const language of Object.keys(stateNames))
    for (const [code, name] of pairs(namesIn(language, country))) {
      // People in Tokyo write 東京 for 東京都.
      table.set(foldedName(name.replace(/[都府県]$/, '')), code)
      table.set(foldedName(name), code)
    }
  // `BY` for DE-BY: the standard's code is ours without the country.
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
