import { type Money, negate } from '#domain/money/money.ts'
import type { CartFacts, TaxFacts, TotalsFacts } from '#shop/cart/cart-facts.ts'
import { Approximate } from '../currency/approximate-amount.tsx'
import { Amount, TaxLabel } from '../currency/price.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { ShippingRows } from '../shipping/shipping-methods.tsx'
import { UntranslatedText } from '../translation/untranslated-text.tsx'

/** Returns a code in the form of a class name or id. */
export function codeSlug(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}

/** The rows from subtotal to total, the same on the cart and in the order review. `place` selects one of the two. */
export function TotalsRows({
  cart,
  place,
  calculator,
}: {
  cart: CartFacts
  place: 'cart' | 'review'
  calculator?: React.ReactNode
}) {
  const { t } = useShop()
  const { totals } = cart
  const guide = cart.guide?.totals
  const taxed = totals.taxes.length > 0 || totals.includedTaxes.length > 0
  const title = (text: string) => (place === 'cart' ? { 'data-title': text } : {})
  return (
    <>
      <tr className="cart-subtotal">
        <th scope="row">{t('Subtotal')}</th>
        <td {...title(t('Subtotal'))}>
          <Amount value={totals.subtotal} />
          <Approximate value={guide?.subtotal} />
          {taxed && <TaxLabel />}
        </td>
      </tr>
      {totals.coupons.map((coupon) => (
        <tr key={coupon.code} className={`cart-discount coupon-${codeSlug(coupon.code)}`}>
          <th scope="row">
            <UntranslatedText text={coupon.label} part={coupon.code} />
          </th>
          <td {...title(coupon.label)}>
            {coupon.freeShipping && coupon.discount.minor === 0 ? (
              t('Free shipping coupon')
            ) : (
              <>
                <Amount value={negate(coupon.discount)} hyphen />
                <Approximate value={off(guide?.coupons.find(({ code }) => code === coupon.code)?.discount)} hyphen />
              </>
            )}{' '}
            <LinkButton
              aria-label={t('Remove %s coupon', coupon.code)}
              href={coupon.removeUrl}
              className="woocommerce-remove-coupon"
              data-coupon={coupon.code}
            >
              {t('[Remove]')}
            </LinkButton>
          </td>
        </tr>
      ))}
      <ShippingRows cart={cart} place={place} calculator={calculator} />
      {totals.fees.map((fee, nth) => (
        <tr key={fee.name} className="fee">
          <th scope="row">{fee.name}</th>
          <td {...title(fee.name)}>
            <Amount value={fee.amount} />
            <Approximate value={guide?.fees[nth]?.amount} />
          </td>
        </tr>
      ))}
      {totals.taxes.map((tax, nth) => (
        <tr
          key={`${tax.code} ${tax.label}`}
          className={tax.code === null ? 'tax-total' : `tax-rate tax-rate-${codeSlug(tax.code)}`}
        >
          <th scope="row">
            {taxLabel(tax, t)}
            {totals.estimatedFor && <small> {t('(estimated for %s)', totals.estimatedFor)}</small>}
          </th>
          <td {...title(taxLabel(tax, t))}>
            <Amount value={tax.amount} />
            <Approximate value={sameTax(guide, totals.taxes, nth)?.amount} />
          </td>
        </tr>
      ))}
      <tr className="order-total">
        <th scope="row">{t('Total')}</th>
        <td {...title(t('Total'))}>
          <strong>
            <Amount value={totals.total} />
          </strong>
          <Approximate value={guide?.total} />
          <IncludedTaxes cart={cart} />
        </td>
      </tr>
    </>
  )
}

const off = (discount: Money | undefined) => discount && negate(discount)

/**
 * Returns the same tax in another currency. Rates of two tax classes may have one code: their order distinguishes them.
 */
function sameTax(guide: TotalsFacts | undefined, taxes: readonly TaxFacts[], nth: number): TaxFacts | undefined {
  const before = taxes.slice(0, nth).filter(({ code }) => code === taxes[nth]?.code).length
  return guide?.taxes.filter(({ code }) => code === taxes[nth]?.code)[before]
}

/** Returns a rate's own name, given by the merchant, or the shop's name for the sum. */
function taxLabel({ code, label }: TaxFacts, t: (text: string) => string): string {
  return code === null ? t('Tax') : label
}

function IncludedTaxes({ cart: { totals } }: { cart: CartFacts }) {
  const { t } = useShop()
  if (totals.includedTaxes.length === 0) return null
  return (
    <small className="includes_tax">
      {' '}
      ({t('includes')}{' '}
      {totals.includedTaxes.map((tax, place) => (
        <span key={`${tax.code} ${tax.label}`}>
          {place > 0 && ', '}
          <Amount value={tax.amount} /> {taxLabel(tax, t)}
        </span>
      ))}
      {totals.estimatedFor && ` ${t('estimated for %s', totals.estimatedFor)}`})
    </small>
  )
}
