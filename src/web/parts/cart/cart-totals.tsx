import { urls } from '#contract/shared/urls.ts'
import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { ChargedNote } from '../currency/approximate-amount.tsx'
import { WalletButtons } from '../payments/wallet-buttons.tsx'
import { classNames } from '../shared/class-names.ts'
import { useShop } from '../shared/shop-context.tsx'
import { ShippingCalculator } from '../shipping/shipping-calculator.tsx'
import type { Nonces } from './cart-form.tsx'
import { TotalsRows } from './totals-rows.tsx'

/** The block `div.cart_totals`: the totals, and the checkout button. Also the response of the shipping calls. */
export function CartTotals({ cart, nonces }: { cart: CartFacts; nonces: Nonces }) {
  const { t } = useShop()
  return (
    <div className={classNames('cart_totals', cart.calculatedShipping && 'calculated_shipping')}>
      <h2>{t('Cart totals')}</h2>
      <table className="shop_table shop_table_responsive">
        <tbody>
          <TotalsRows
            cart={cart}
            place="cart"
            calculator={
              cart.needsShipping ? (
                <ShippingCalculator cart={cart} nonce={nonces['woocommerce-shipping-calculator'] ?? ''} />
              ) : undefined
            }
          />
        </tbody>
      </table>
      <ChargedNote cart={cart} />
      <div className="wc-proceed-to-checkout">
        <a href={urls.checkout()} className="checkout-button button alt wc-forward">
          {t('Proceed to checkout')}
        </a>
        <WalletButtons page="cart" nonce={nonces['woocommerce-cart'] ?? ''} />
      </div>
    </div>
  )
}
