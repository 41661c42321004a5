import { postcodeMatches } from './postcode-rule.ts'

export type ShippingZone = {
  /** 0 is the fallback zone, "locations not covered by your other zones". */
  readonly id: number
  readonly order: number
  /** `US`, or `US:CA` for one state. */
  readonly countries: readonly string[]
  /** Two letters: AF AN AS EU NA OC SA. */
  readonly continents: readonly string[]
  readonly postcodes: readonly string[]
}

export type Destination = {
  readonly country: string
  readonly state: string
  /** In its country's format (`formatPostcode`). */
  readonly postcode: string
  readonly city: string
  /** Continent of the country (`continentOf`); null while unknown. */
  readonly continent: string | null
}

/**
 * Returns the first zone, in the merchant's order, that covers the destination; else the fallback zone, which may be
 * missing.
 */
export function zoneFor<Zone extends ShippingZone>(zones: readonly Zone[], destination: Destination): Zone | undefined {
  return (
    zones
      .filter((zone) => zone.id !== 0)
      .sort((a, b) => a.order - b.order || a.id - b.id)
      .find((zone) => covers(zone, destination)) ?? zones.find((zone) => zone.id === 0)
  )
}

function covers(
  { countries, continents, postcodes }: ShippingZone,
  { country, state, continent, postcode }: Destination,
): boolean {
  const anywhere = countries.length === 0 && continents.length === 0
  const located =
    anywhere ||
    countries.includes(country) ||
    countries.includes(`${country}:${state}`) ||
    (continent !== null && continents.includes(continent))
  return located && (postcodes.length === 0 || postcodes.some((rule) => postcodeMatches(rule, postcode, country)))
}
