import type { StoreCurrency } from '#contract/shared/store-money.ts'
import type { StorePackageRecord } from '#contract/shipping/store-shipping.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { escapeHtml } from '../../../notices/cart-notices.tsx'
import { minor } from '../shared/store-values.ts'

/** Returns the packages of a cart with their rates; the chosen rate costs what the totals charge. */
export function packageRecords(
  { packages, quote, entries, state }: EvaluatedCart,
  currency: StoreCurrency,
  t: ShopContextValue['t'],
): StorePackageRecord[] {
  const shipped = packages.filter(({ chosen }) => chosen !== null)
  const address = state.shipToDifferent || state.billing.country === '' ? state.shipping : state.billing
  return packages.map((parcel) => ({
    package_id: parcel.index,
    name: parcel.index > 0 ? t('Shipping %s', parcel.index + 1) : t('Shipping'),
    destination: {
      address_1: address.address_1,
      address_2: address.address_2,
      city: parcel.destination.city,
      state: parcel.destination.state,
      postcode: parcel.destination.postcode,
      country: parcel.destination.country,
    },
    items: entries.flatMap(({ line, product }) =>
      parcel.contents.includes(line.key)
        ? [{ key: line.key, name: escapeHtml(product.name), quantity: line.quantity }]
        : [],
    ),
    shipping_rates: parcel.rates.map((rate) => {
      const settled = rate.id === parcel.chosen?.id ? quote.shipping[shipped.indexOf(parcel)] : undefined
      return {
        ...currency,
        rate_id: rate.id,
        name: escapeHtml(rate.label),
        description: '',
        delivery_time: '',
        price: minor(settled?.cost ?? rate.cost.minor),
        taxes: minor(settled?.tax ?? rate.tax.minor),
        instance_id: rate.instanceId,
        method_id: rate.method,
        meta_data: [],
        selected: rate.id === parcel.chosen?.id,
      }
    }),
  }))
}
