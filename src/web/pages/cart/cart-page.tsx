import type { CartFacts } from '#shop/cart/cart-facts.ts'
import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { CartForm, type Nonces } from '../../parts/cart/cart-form.tsx'
import { CartTotals } from '../../parts/cart/cart-totals.tsx'
import { CrossSells } from '../../parts/cart/cross-sells.tsx'
import { EmptyCart } from '../../parts/cart/empty-cart.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type CartPageProps = {
  cart: CartFacts
  nonces: Nonces
  /** Cross-sells; for an empty cart, suggestions. */
  products?: readonly ProductCardFacts[]
  /** The order that emptied the cart a moment ago. */
  placed?: { id: number; key: string } | null
}

/** The cart. Calls respond with this page, and scripts extract the form, the totals and the notices. */
export function CartPage({ cart, nonces, products = [], placed = null }: CartPageProps) {
  const { t } = useShop()
  return (
    <article className="private-page">
      <h1 className="entry-title">{t('Cart')}</h1>
      <div className="woocommerce">
        {cart.lines.length === 0 ? (
          <EmptyCart suggestions={products} placed={placed} />
        ) : (
          <>
            <CartForm cart={cart} nonces={nonces} />
            <div className="cart-collaterals">
              <CartTotals cart={cart} nonces={nonces} />
              <CrossSells products={products} />
            </div>
          </>
        )}
      </div>
    </article>
  )
}
