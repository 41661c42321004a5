import { foldedName } from '#domain/addresses/folded-name.ts'
import { providerState } from '#domain/payments/provider-state.ts'
import { type NamedState, namedStates, tidy } from './named-states.ts'
import { countriesWithStates } from './state-codes.ts'

/** Country → `other name=code`, joined by bars, for countries whose states have other names. */
export function stateAliases(): Record<string, string> {
  return Object.fromEntries(
    countriesWithStates
      .map(({ country }) => [
        country,
        aliasesOf(country)
          .map(({ alias, code }) => `${alias}=${code}`)
          .join('|'),
      ])
      .filter(([, aliases]) => aliases !== ''),
  )
}

/** The standard’s code and name and the provider’s word, where they say something else than ours and mean one state alone. */
function aliasesOf(country: string): { alias: string; code: string }[] {
  const states = namedStates(country)
  const taken = new Set(states.flatMap(({ code, name }) => [foldedName(code), foldedName(name)]))
  const wanted = states.flatMap((state) =>
    [isoCode(country, state), ...partsOf(state.isoName), providerState(country, state.code)]
      .map((alias) => ({ alias, folded: foldedName(alias), code: state.code }))
      .filter(({ folded }) => folded !== '' && !taken.has(folded)),
  )
  const kept = new Map<string, { alias: string; code: string }>()
  for (const { alias, folded, code } of wanted) {
    const others = wanted.filter((other) => other.folded === folded && other.code !== code)
    if (others.length === 0 && !kept.has(folded)) kept.set(folded, { alias, code })
  }
  return [...kept.values()]
}

/** Empty where it is our code without the country, which the shop works out by itself. */
function isoCode(country: string, { code, iso }: NamedState): string {
  return foldedName(code) === foldedName(country + iso) ? '' : iso
}

/** A name in two languages is known by either. */
function partsOf(isoName: string): string[] {
  const name = tidy(isoName)
  return name.includes(', ') ? [name, ...name.split(', ')] : [name]
}
