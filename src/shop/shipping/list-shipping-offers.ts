import { continentOf } from '#domain/addresses/countries.ts'
import { type Money, money } from '#domain/money/money.ts'
import { shippingRates } from '#domain/shipping/shipping-rates.ts'
import { zoneFor } from '#domain/shipping/shipping-zone.ts'
import { shipsTo } from '../addresses/allowed-countries.ts'
import type { Tools } from '../shared/tools.ts'

/** Maximum number of countries: a longer list of a merchant means a region. */
const maxCountries = 5

/**
 * Returns the cheapest delivery of one piece to each country that the merchant lists. Returns none where the figure
 * would differ from the checkout's: before an address is known, or where shipping has tax that the prices already
 * include.
 */
export function offerShipping(
  { settings, shippingZones, exchange }: Pick<Tools, 'settings' | 'shippingZones' | 'exchange'>,
  offered: { shippingClass: string; weightGrams: number | null; price: Money; ownPrice: Money | null },
): { country: string; cost: Money }[] {
  const { enabled, hideUntilAddress } = settings.shipping
  if (!enabled || hideUntilAddress) return []
  const named = new Set(shippingZones.flatMap(({ countries }) => countries.filter((country) => !country.includes(':'))))
  const item = { key: 'offer', quantity: 1, ...offered, total: offered.price }
  const subtotal = offered.ownPrice ?? money(0, exchange.from)
  const cart = { subtotal, discount: money(0, exchange.from), freeShippingCoupon: false }
  const taxesIn = settings.taxes.enabled && settings.taxes.displayShop === 'incl'
  return [...named].slice(0, maxCountries).flatMap((country) => {
    if (!shipsTo(settings, country)) return []
    const place = { country, state: '', postcode: '', city: '', continent: continentOf(country) }
    const zone = zoneFor(shippingZones, place)
    // A zone of single states does not cover its country.
    if (!zone?.countries.includes(country)) return []
    const rates = shippingRates(zone.methods, [item], cart, { ...settings.shipping, exchange }).filter(
      ({ method }) => method !== 'local_pickup',
    )
    const cheapest = rates.toSorted((one, other) => one.cost.minor - other.cost.minor)[0]
    if (!cheapest || (taxesIn && cheapest.taxable && cheapest.cost.minor > 0)) return []
    return [{ country, cost: cheapest.cost }]
  })
}
