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
  /** What goes with the cart; of an empty one, where to go on. */
  products?: readonly ProductCardFacts[]
  /** What was in it before, where that was ordered a moment ago. */
  placed?: { id: number; key: string } | null
}

/** The cart. Calls answer with this page, and scripts take the form, the totals and the notices out of it. */
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
