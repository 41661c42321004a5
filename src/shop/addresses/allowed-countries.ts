import type { OfferedCountries } from '#contract/addresses/settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import { countryCodes, isCountry } from '#domain/addresses/countries.ts'
import { statesOf } from '#domain/addresses/states.ts'

type Offer = Pick<ShopSettings, 'sellTo' | 'shipTo'>
export type Choice = { readonly value: string; readonly label: string }

/** Returns true if the merchant sells to customers in a country. */
export function sellsTo({ sellTo }: Offer, country: string): boolean {
  return isOffered(sellTo, country)
}

/** Returns true if the merchant ships to a country. */
export function shipsTo({ sellTo, shipTo }: Offer, country: string): boolean {
  return isOffered(shipTo ?? sellTo, country)
}

/** Returns true if an address of this kind may be in a country. */
export function takesCountry(offer: Offer, kind: AddressKind, country: string): boolean {
  return kind === 'billing' ? sellsTo(offer, country) : shipsTo(offer, country)
}

/** Returns the codes of all allowed countries of a kind of address, or of any, in alphabetical order of code. */
export function offeredCountries(offer: Offer, kind?: AddressKind): string[] {
  return countryCodes.filter((country) =>
    kind ? takesCountry(offer, kind, country) : sellsTo(offer, country) || shipsTo(offer, country),
  )
}

function isOffered(offered: OfferedCountries, country: string): boolean {
  if (!isCountry(country)) return false
  if ('except' in offered) return !offered.except.includes(country)
  return offered.length === 0 || offered.includes(country)
}

/**
 * Returns the assumed location of a visitor without an address: the only country, else the shop's own if it is offered
 * and the merchant's setting allows it. Null: unknown.
 */
export function startPlace(
  settings: Offer & Pick<ShopSettings, 'base' | 'defaultLocation'>,
  kind: AddressKind,
): { readonly country: string; readonly state: string } | null {
  const { base, defaultLocation, sellTo, shipTo } = settings
  const only = onlyCountry(kind === 'billing' ? sellTo : (shipTo ?? sellTo))
  if (only !== null) return { country: only, state: only === base.country ? stateOf(base) : '' }
  if (defaultLocation === 'none' || !takesCountry(settings, kind, base.country)) return null
  return { country: base.country, state: stateOf(base) }
}

function onlyCountry(offered: OfferedCountries): string | null {
  if ('except' in offered) return null
  const [first, ...others] = offered
  return first !== undefined && others.every((other) => other === first) ? first : null
}

/** Returns the shop's own state, if its country has it. */
function stateOf({ country, state }: ShopSettings['base']): string {
  const states = statesOf(country)
  return !states || states.has(state) ? state : ''
}

const choices = new Map<string, readonly Choice[]>()

/** Returns the countries of a select, by name in the shop's language. Cached: sorting by language rules is slow. */
export function countryChoices(settings: Offer & Pick<ShopSettings, 'language'>, kind: AddressKind): readonly Choice[] {
  const { language, sellTo, shipTo } = settings
  const key = JSON.stringify([language, kind === 'billing' ? sellTo : (shipTo ?? sellTo)])
  const made = choices.get(key)
  if (made) return made
  // Merchants change this now and then; unused entries must not accumulate.
  if (choices.size > 50) choices.clear()
  // Letters with and without accents are sorted together: Åland among the A.
  const { compare } = new Intl.Collator(language, { sensitivity: 'base', ignorePunctuation: true })
  const list = offeredCountries(settings, kind)
    .map((value) => ({ value, label: countryName(language, value) }))
    .sort((a, b) => compare(withoutMarks(a.label), withoutMarks(b.label)))
  choices.set(key, list)
  return list
}

const withoutMarks = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '')

/** Returns the states of a select, by their names in a language. */
export function stateChoices(country: string, language: string): Choice[] {
  return [...(statesOf(country, language) ?? [])].map(([value, label]) => ({ value, label }))
}

const displayNames = new Map<string, Intl.DisplayNames>()
const namesKnown = new Map<string, string>()

/** Returns the name of a country in a language; an unknown code is returned unchanged. */
export function countryName(language: string, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  // Cached: the platform takes some twenty microseconds each time. There are as many entries as countries in languages.
  const known = namesKnown.get(`${language} ${code}`)
  if (known !== undefined) return known
  const names = displayNames.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  displayNames.set(language, names)
  const name = names.of(code) ?? code
  namesKnown.set(`${language} ${code}`, name)
  return name
}
