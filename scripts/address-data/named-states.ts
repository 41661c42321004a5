import { type CodedState, codedStates } from './state-codes.ts'
import { englishNames } from './state-names.ts'

export type NamedState = CodedState & { readonly name: string }

/** The states of a country with their names, in the order of the standard. */
export function namedStates(country: string): NamedState[] {
  const names = englishNames(country)
  const states = codedStates(country).map((state) => ({ ...state, name: names.get(state.code) ?? tidy(state.isoName) }))
  const unknown = [...names.keys()].filter((code) => !states.some((state) => state.code === code))
  const nameless = states.filter(({ name }) => name === '').map(({ code }) => code)
  if (unknown.length + nameless.length > 0) throw new Error(`${country}: ${[...unknown, ...nameless].join()}`)
  return states
}

/** Without the remarks that the standard adds, such as `(EH-partial)`, and with a printer's apostrophe. */
export function tidy(name: string): string {
  return name.replace(/ \(.*\)$/, '').replaceAll("'", '’')
}
