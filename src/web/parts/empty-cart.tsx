import { urls } from '#contract/urls.ts'
import { useShop } from './shop-context.tsx'

/** What stands in place of the cart when nothing is in it. */
export function EmptyCart() {
  const { t } = useShop()
  return (
    <>
      <div className="wc-empty-cart-message">
        <div className="cart-empty woocommerce-info" role="status">
          {t('Your cart is currently empty.')}
        </div>
      </div>
      <p className="return-to-shop">
        <a className="button wc-backward" href={urls.shop()}>
          {t('Return to shop')}
        </a>
      </p>
    </>
  )
}
