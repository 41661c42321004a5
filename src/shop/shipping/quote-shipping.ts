import { canShipTo } from '#domain/addresses/address-fields.ts'
import { continentOf } from '#domain/addresses/countries.ts'
import type { ItemTotals } from '#domain/cart/item-totals.ts'
import { shippingTax } from '#domain/cart/totals.ts'
import { chosenRate, type StoredChoice } from '#domain/shipping/chosen-rate.ts'
import { packageOf, type ShippingRate, shippingRates } from '#domain/shipping/shipping-rates.ts'
import { zoneFor } from '#domain/shipping/shipping-zone.ts'
import type { TaxPlace } from '#domain/tax/tax-rate.ts'
import { shipsTo } from '../addresses/allowed-countries.ts'
import type { CartEntry } from '../cart/evaluated-cart.ts'
import { displayedAmount } from '../cart/own-currency-items.ts'
import type { StoredCoupon } from '../coupons/read-coupons.ts'
import type { Tools } from '../shared/tools.ts'
import type { QuotedPackage } from './quoted-package.ts'

type Parcel = Omit<QuotedPackage, 'rates' | 'chosen'> & {
  readonly rates: readonly ShippingRate[]
  readonly chosen: ShippingRate | null
}

/**
 * Splits goods into packages: one for common goods, then one per separately shipped class, in the order of the setting.
 * Empty packages are left out, so the indices have no gaps.
 */
export function splitIntoParcels<Item extends { readonly shippingClass: string }>(
  items: readonly Item[],
  apart: readonly string[],
): Item[][] {
  const classes = [...new Set(apart.filter((name) => name !== ''))]
  const together = items.filter((item) => !classes.includes(item.shippingClass))
  const alone = classes.map((name) => items.filter((item) => item.shippingClass === name))
  return [together, ...alone].filter((parcel) => parcel.length > 0)
}

/**
 * Returns the packages of a cart, each with its rates and the rate that applies. Returns none while the shop hides
 * costs until an address is known.
 */
export function quotePackages(
  { settings, shippingZones, exchange }: Pick<Tools, 'settings' | 'shippingZones' | 'exchange'>,
  cart: {
    entries: readonly CartEntry[]
    items: ItemTotals
    /** `items` in the shop's own currency (`ownCurrencyItems`). */
    ownItems: ItemTotals
    coupons: readonly StoredCoupon[]
    place: TaxPlace
    remembered: Readonly<Record<string, StoredChoice>>
  },
): Parcel[] {
  const { items, ownItems, coupons, place } = cart
  if (settings.shipping.hideUntilAddress && !canShipTo(place, settings.base.country)) return []
  const totals = new Map(items.lines.map((line) => [line.key, line.total]))
  const goods = packageOf(
    cart.entries.flatMap(({ line, product }) => {
      const total = totals.get(line.key)
      if (!total) return []
      return {
        key: line.key,
        quantity: line.quantity,
        shippingClass: product.shippingClass,
        weightGrams: product.weightGrams,
        total,
        virtual: product.virtual,
      }
    }),
  )
  if (!goods) return []
  const zone = shipsTo(settings, place.country)
    ? zoneFor(shippingZones, { ...place, continent: continentOf(place.country) })
    : undefined
  const freeShippingCoupon = coupons.some((coupon) => coupon.freeShipping)
  const whole = {
    subtotal: displayedAmount(settings, ownItems.subtotal, ownItems.subtotalTax),
    discount: displayedAmount(settings, ownItems.discount, ownItems.discountTax),
    freeShippingCoupon,
  }
  return splitIntoParcels(goods, settings.shipping.packagesByClass).map((parcel, index) => {
    const rates = zone ? shippingRates(zone.methods, parcel, whole, { ...settings.shipping, exchange }) : []
    const ids = rates.map(({ id }) => id)
    const chosenId = chosenRate(ids, cart.remembered[String(index)] ?? null, freeShippingCoupon)
    return {
      index,
      destination: place,
      contents: parcel.map(({ key }) => key),
      rates,
      chosen: rates.find(({ id }) => id === chosenId) ?? null,
    }
  })
}

/** Adds the tax of each rate, once destination and tax class of shipping are known. */
export function withRateTaxes(parcels: readonly Parcel[], items: ItemTotals, taxClass: string | null): QuotedPackage[] {
  return parcels.map((parcel) => {
    const rates = parcel.rates.map((rate) => ({ ...rate, tax: shippingTax(items, rate, taxClass) }))
    return { ...parcel, rates, chosen: rates.find(({ id }) => id === parcel.chosen?.id) ?? null }
  })
}
