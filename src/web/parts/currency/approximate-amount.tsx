import type { Money } from '#domain/money/money.ts'
import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { useShop } from '../shared/shop-context.tsx'
import { Amount, priceText } from './price.tsx'

/** Beside an amount that is charged: what it is in the currency that the visitor sees the shop in. Nothing where there is no other. */
export function Approximate({ value }: { value: Money | undefined }) {
  const { t } = useShop()
  if (!value) return null
  return (
    <small className="approximate-amount">
      {' ('}
      <span aria-hidden="true">~</span>
      <span className="screen-reader-text">{t('approximately')} </span>
      <Amount value={value} />
      {')'}
    </small>
  )
}

/** On the cart, whose prices are in another currency than the one that is charged: which that is, and how much of it. */
export function ChargedNote({ cart }: { cart: CartFacts }) {
  const shop = useShop()
  const { charged } = cart
  if (!charged) return null
  return (
    <p className="charged-note">
      {shop.t(
        'Prices in %s are a guide. You pay in %s: %s.',
        cart.totals.total.currency,
        charged.currency,
        priceText(shop, charged),
      )}
    </p>
  )
}

/** The same on the checkout, whose amounts are those that are charged. */
export function GuideNote({ cart }: { cart: CartFacts }) {
  const { t } = useShop()
  const { guide, totals } = cart
  if (!guide || totals.total.minor === 0) return null
  return (
    <p className="charged-note">
      {t('You pay in %s. Amounts in %s are a guide.', totals.total.currency, guide.totals.total.currency)}
    </p>
  )
}
