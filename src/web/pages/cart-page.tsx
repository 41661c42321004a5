import type { CartFacts } from '#shop/cart-facts.ts'
import { CartForm, type Nonces } from '../parts/cart-form.tsx'
import { CartTotals } from '../parts/cart-totals.tsx'
import { EmptyCart } from '../parts/empty-cart.tsx'
import { useShop } from '../parts/shop-context.tsx'

/** The cart. Calls answer with this page, and scripts take the form, the totals and the notices out of it. */
export function CartPage({ cart, nonces }: { cart: CartFacts; nonces: Nonces }) {
  const { t } = useShop()
  return (
    <article className="private-page">
      <h1 className="entry-title">{t('Cart')}</h1>
      <div className="woocommerce">
        {cart.lines.length === 0 ? (
          <EmptyCart />
        ) : (
          <>
            <CartForm cart={cart} nonces={nonces} />
            <div className="cart-collaterals">
              <CartTotals cart={cart} nonces={nonces} />
            </div>
          </>
        )}
      </div>
    </article>
  )
}
