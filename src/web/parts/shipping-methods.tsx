import type { ReactNode } from 'react'
import type { CartFacts, ShippingPackageFacts } from '#shop/cart-facts.ts'
import { Amount, TaxLabel } from './price.tsx'
import { useShop } from './shop-context.tsx'

type ShippingRowsProps = { cart: CartFacts; taxed: boolean; place: 'cart' | 'review'; calculator?: ReactNode }

/** One row for each parcel; on a cart that needs shipping but knows no parcel yet, the calculator alone. */
export function ShippingRows({ cart, taxed, place, calculator }: ShippingRowsProps) {
  const { t } = useShop()
  const { packages } = cart.totals
  if (packages.length === 0) {
    if (!cart.needsShipping || place === 'review') return null
    return (
      <tr className="shipping">
        <th scope="row">{t('Shipping')}</th>
        <td data-title={t('Shipping')}>{calculator}</td>
      </tr>
    )
  }
  return packages.map((parcel, place_) => (
    <tr key={parcel.index} className="woocommerce-shipping-totals shipping">
      <th scope="row">{parcel.name}</th>
      <td data-title={parcel.name}>
        <Rates parcel={parcel} taxed={taxed} />
        {parcel.missing === null && place === 'cart' && parcel.destination && (
          <p className="woocommerce-shipping-destination">
            {t('Shipping to')} <strong>{parcel.destination}</strong>.
          </p>
        )}
        {parcel.missing && <p className="shipping-missing">{missingText(parcel, t)}</p>}
        {packages.length > 1 && (
          <p className="woocommerce-shipping-contents">
            <small>{t('Parcel %1$s of %2$s', place_ + 1, packages.length)}</small>
          </p>
        )}
        {place_ === packages.length - 1 && calculator}
      </td>
    </tr>
  ))
}

function missingText({ missing, destination }: ShippingPackageFacts, t: ReturnType<typeof useShop>['t']): string {
  if (missing === 'address') return t('Enter your address to view shipping options.')
  if (!destination) return t('There are no shipping options available.')
  return t('No shipping options were found for %s.', destination)
}

function Rates({ parcel, taxed }: { parcel: ShippingPackageFacts; taxed: boolean }) {
  if (parcel.rates.length === 0) return null
  const single = parcel.rates.length === 1
  return (
    <ul
      id={parcel.index === 0 ? 'shipping_method' : `shipping_method_${parcel.index}`}
      className="woocommerce-shipping-methods"
    >
      {parcel.rates.map((rate) => {
        const id = `shipping_method_${parcel.index}_${rate.id.toLowerCase().replace(/[^a-z0-9_-]/g, '')}`
        return (
          <li key={rate.id}>
            <input
              type={single ? 'hidden' : 'radio'}
              name={`shipping_method[${parcel.index}]`}
              data-index={parcel.index}
              id={id}
              value={rate.id}
              className="shipping_method"
              defaultChecked={single ? undefined : rate.chosen}
            />
            <label htmlFor={id}>
              {rate.label}
              {!rate.free && (
                <>
                  : <Amount value={rate.cost} />
                  {taxed && <TaxLabel />}
                </>
              )}
            </label>
          </li>
        )
      })}
    </ul>
  )
}
