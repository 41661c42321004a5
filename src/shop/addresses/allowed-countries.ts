import type { OfferedCountries } from '#contract/addresses/settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import { countryCodes, isCountry } from '#domain/addresses/countries.ts'
import { statesOf } from '#domain/addresses/states.ts'

type Offer = Pick<ShopSettings, 'sellTo' | 'shipTo'>
export type Choice = { readonly value: string; readonly label: string }

/** Whether the merchant sells to customers who live in a country. */
export function sellsTo({ sellTo }: Offer, country: string): boolean {
  return isOffered(sellTo, country)
}

/** Whether the merchant sends parcels to a country. */
export function shipsTo({ sellTo, shipTo }: Offer, country: string): boolean {
  return isOffered(shipTo ?? sellTo, country)
}

/** Whether an address of this kind may lie in a country. */
export function takesCountry(offer: Offer, kind: AddressKind, country: string): boolean {
  return kind === 'billing' ? sellsTo(offer, country) : shipsTo(offer, country)
}

/** The codes of all countries that an address may lie in, of one kind or of any, in alphabetical order of code. */
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
 * Where a visitor who has said nothing is taken to be: the only country there is, else the shop's own if it is offered and
 * the merchant wants that. Null: nowhere yet.
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

/** The shop's own state, as far as its country knows it. */
function stateOf({ country, state }: ShopSettings['base']): string {
  const states = statesOf(country)
  return !states || states.has(state) ? state : ''
}

const choices = new Map<string, readonly Choice[]>()

/** The countries of a select, by name in the shop's language. Made once: sorting by language rules is slow. */
export function countryChoices(settings: Offer & Pick<ShopSettings, 'language'>, kind: AddressKind): readonly Choice[] {
  const { language, sellTo, shipTo } = settings
  const key = JSON.stringify([language, kind === 'billing' ? sellTo : (shipTo ?? sellTo)])
  const made = choices.get(key)
  if (made) return made
  // Merchants change this now and then; what nobody asks for any more must not pile up.
  if (choices.size > 50) choices.clear()
  // Letters with and without accents stand together: Åland among the A.
  const { compare } = new Intl.Collator(language, { sensitivity: 'base', ignorePunctuation: true })
  const list = offeredCountries(settings, kind)
    .map((value) => ({ value, label: countryName(language, value) }))
    .sort((a, b) => compare(folded(a.label), folded(b.label)))
  choices.set(key, list)
  return list
}

const folded = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '')

/** The states of a select, by their names in a language. */
export function stateChoices(country: string, language: string): Choice[] {
  return [...(statesOf(country, language) ?? [])].map(([value, label]) => ({ value, label }))
}

const displayNames = new Map<string, Intl.DisplayNames>()
const namesKnown = new Map<string, string>()

/** The name of a country in a language; what is no code comes back as it is. */
export function countryName(language: string, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  // Looked up once: the platform takes some twenty microseconds each time. There are as many as countries in languages.
  const known = namesKnown.get(`${language} ${code}`)
  if (known !== undefined) return known
  const names = displayNames.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  displayNames.set(language, names)
  const name = names.of(code) ?? code
  namesKnown.set(`${language} ${code}`, name)
  return name
}
