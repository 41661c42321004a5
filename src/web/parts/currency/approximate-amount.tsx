import type { Money } from '#domain/money/money.ts'
import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { useShop } from '../shared/shop-context.tsx'
import { Amount, priceText } from './price.tsx'

/**
 * The approximate amount in the visitor's display currency, beside a charged amount. Empty without another currency.
 */
export function Approximate({ value, hyphen = false }: { value: Money | undefined; hyphen?: boolean }) {
  const { t } = useShop()
  if (!value) return null
  return (
    <small className="approximate-amount">
      {' ('}
      <span aria-hidden="true">~</span>
      <span className="screen-reader-text">{t('approximately')} </span>
      <Amount value={value} hyphen={hyphen} />
      {')'}
    </small>
  )
}

/** The note on a cart with another currency than the charged one: names that currency and the amount. */
export function ChargedNote({ cart }: { cart: CartFacts }) {
  const shop = useShop()
  const { charged } = cart
  if (!charged) return null
  return (
    <p className="charged-note">
      {shop.t(
        'Prices in %s are approximate. You pay in %s: %s.',
        cart.totals.total.currency,
        charged.currency,
        priceText(shop, charged),
      )}
    </p>
  )
}

/** The same note on the checkout, whose amounts are the charged ones. */
export function GuideNote({ cart }: { cart: CartFacts }) {
  const { t } = useShop()
  const { guide, totals } = cart
  if (!guide || totals.total.minor === 0) return null
  return (
    <p className="charged-note">
      {t('You pay in %s. Amounts in %s are approximate.', totals.total.currency, guide.totals.total.currency)}
    </p>
  )
}
