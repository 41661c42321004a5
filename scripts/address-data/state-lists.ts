import { type NamedState, namedStates } from './named-states.ts'
import { countriesWithStates } from './state-codes.ts'

/** Country → `code=name` of its states, joined by bars, in the order in which they are shown. */
export function stateLists(): Record<string, string> {
  return Object.fromEntries(
    countriesWithStates.map(({ country, ordered }) => {
      const states = namedStates(country)
      const sorted = ordered ? states : states.toSorted(byName(country))
      return [country, sorted.map(({ code, name }) => `${code}=${name}`).join('|')]
    }),
  )
}

const collator = new Intl.Collator('en')

/** The armed forces of the US stand below its states. */
const byName = (country: string) => (a: NamedState, b: NamedState) =>
  (country === 'US' ? Number(a.iso === '') - Number(b.iso === '') : 0) || collator.compare(a.name, b.name)
