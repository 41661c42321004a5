import type { CartFacts } from '#shop/cart-facts.ts'
import type { ProductCardFacts } from '#shop/catalog-facts.ts'
import { CartForm, type Nonces } from '../parts/cart-form.tsx'
import { CartTotals } from '../parts/cart-totals.tsx'
import { CrossSells } from '../parts/cross-sells.tsx'
import { EmptyCart } from '../parts/empty-cart.tsx'
import { useShop } from '../parts/shop-context.tsx'

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
