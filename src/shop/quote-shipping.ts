import type { ItemTotals } from '#domain/cart/item-totals.ts'
import type { Money } from '#domain/money/money.ts'
import { add } from '#domain/money/money.ts'
import { chosenRate, type RememberedChoice } from '#domain/shipping/chosen-rate.ts'
import { packageOf, type ShippingRate, shippingRates } from '#domain/shipping/shipping-rates.ts'
import { zoneFor } from '#domain/shipping/shipping-zone.ts'
import type { TaxPlace } from '#domain/tax/tax-rate.ts'
import type { CartEntry } from './quote-cart.ts'
import type { StoredCoupon } from './read-coupons.ts'
import type { Tools } from './tools.ts'

/** One package of a cart with what its transport may cost. */
export type QuotedPackage = {
  readonly index: number
  readonly destination: TaxPlace
  readonly rates: readonly ShippingRate[]
  readonly chosen: ShippingRate | null
}

/** The packages of a cart: what must be shipped travels together. */
export function quotePackages(
  { settings, shippingZones }: Tools,
  cart: {
    entries: readonly CartEntry[]
    items: ItemTotals
    coupons: readonly StoredCoupon[]
    place: TaxPlace
    remembered: Readonly<Record<string, RememberedChoice>>
  },
): QuotedPackage[] {
  const { items, coupons, place } = cart
  const totals = new Map(items.lines.map((line) => [line.key, line.total]))
  const goods = packageOf(
    cart.entries.flatMap(({ line, product }) => {
      const total = totals.get(line.key)
      if (!total) return []
      return {
        key: line.key,
        quantity: line.quantity,
        shippingClass: product.shippingClass,
        total,
        virtual: product.virtual,
      }
    }),
  )
  if (!goods) return []
  const zone = place.country === '' ? undefined : zoneFor(shippingZones, { ...place, continent: null })
  const freeShippingCoupon = coupons.some((coupon) => coupon.freeShipping)
  const displayed = (net: Money, tax: Money) => (settings.taxes.displayCart === 'incl' ? add(net, tax) : net)
  const rates = zone
    ? shippingRates(
        zone.methods,
        goods,
        {
          subtotal: displayed(items.subtotal, items.subtotalTax),
          discount: displayed(items.discount, items.discountTax),
          freeShippingCoupon,
        },
        { hideOthersWhenFree: false },
      )
    : []
  const ids = rates.map(({ id }) => id)
  const chosenId = chosenRate(ids, cart.remembered['0'] ?? null, freeShippingCoupon)
  return [{ index: 0, destination: place, rates, chosen: rates.find(({ id }) => id === chosenId) ?? null }]
}
