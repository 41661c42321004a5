import type { ReactNode } from 'react'
import { comma } from '#domain/translation/list-separator.ts'
import type { CartFacts, ShippingPackageFacts } from '#shop/cart/cart-facts.ts'
import { cartFormId } from '../cart/cart-form-id.ts'
import { Approximate } from '../currency/approximate-amount.tsx'
import { Amount, TaxLabel } from '../currency/price.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { UntranslatedText } from '../translation/untranslated-text.tsx'

type ShippingRowsProps = { cart: CartFacts; place: 'cart' | 'review'; calculator?: ReactNode }

/** A row for each package; on a cart that needs shipping but has no package yet, only the calculator. */
export function ShippingRows({ cart, place, calculator }: ShippingRowsProps) {
  const { t, language } = useShop()
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
  const many = packages.length > 1
  const nameOf = (nth: number) => (many && nth > 0 ? t('Shipping %s', nth + 1) : t('Shipping'))
  return packages.map((parcel, nth) => (
    <tr key={parcel.index} className="woocommerce-shipping-totals shipping">
      <th scope="row">{nameOf(nth)}</th>
      <td data-title={nameOf(nth)}>
        <Rates
          parcel={parcel}
          name={nameOf(nth)}
          guide={cart.guide?.totals.packages[nth]?.rates}
          form={place === 'cart' ? cartFormId : undefined}
        />
        {parcel.missing === null && place === 'cart' && parcel.destination && (
          <p className="woocommerce-shipping-destination">
            {t('Shipping to')} <strong translate="no">{parcel.destination}</strong>.
          </p>
        )}
        {parcel.missing && (
          <p className="shipping-missing">
            <UntranslatedText text={missingText(parcel, t)} part={parcel.destination ?? ''} />
          </p>
        )}
        {many && (
          <p className="woocommerce-shipping-contents">
            <small>{parcel.contents.join(comma(language))}</small>
          </p>
        )}
        {place === 'cart' && parcel.rates.length > 1 && <ShippingButton />}
        {nth === packages.length - 1 && calculator}
      </td>
    </tr>
  ))
}

/** The choice is part of the cart's form. Scripts submit it at once; without them this button does. */
function ShippingButton() {
  const { t } = useShop()
  return (
    <button type="submit" form={cartFormId} name="update_shipping" value="1" className="button without-script">
      {t('Update shipping')}
    </button>
  )
}

function missingText({ missing, destination }: ShippingPackageFacts, t: ReturnType<typeof useShop>['t']): string {
  if (missing === 'address') return t('Enter your address to view shipping options.')
  if (!destination) return t('There are no shipping options available.')
  return t('No shipping options were found for %s.', destination)
}

type RatesProps = {
  parcel: ShippingPackageFacts
  /** Name of the package, as in the row's heading. */
  name: string
  /** The same in the visitor's display currency, if another one is charged. */
  guide: ShippingPackageFacts['rates'] | undefined
  form: string | undefined
}

function Rates({ parcel, name, guide, form }: RatesProps) {
  const { t } = useShop()
  if (parcel.rates.length === 0) return null
  const single = parcel.rates.length === 1
  // Extensions expect a list of choices; the role names the group to keyboard users.
  const choices = single ? {} : { role: 'radiogroup', 'aria-label': name }
  return (
    <ul
      id={parcel.index === 0 ? 'shipping_method' : `shipping_method_${parcel.index}`}
      className="woocommerce-shipping-methods"
      {...choices}
    >
      {parcel.rates.map((rate) => {
        const id = `shipping_method_${parcel.index}_${rate.id.toLowerCase().replace(/[^a-z0-9_-]/g, '')}`
        return (
          <li key={rate.id} role={single ? undefined : 'presentation'}>
            <input
              type={single ? 'hidden' : 'radio'}
              name={`shipping_method[${parcel.index}]`}
              data-index={parcel.index}
              id={id}
              value={rate.id}
              className="shipping_method"
              form={form}
              defaultChecked={single ? undefined : rate.chosen}
            />
            <label htmlFor={id}>
              {rate.free ? rate.label : t('%s:', rate.label)}
              {!rate.free && (
                <>
                  {' '}
                  <Amount value={rate.cost} />
                  <Approximate value={guide?.find(({ id }) => id === rate.id)?.cost} />
                  {rate.taxed && <TaxLabel />}
                </>
              )}
            </label>
          </li>
        )
      })}
    </ul>
  )
}
