import { urls } from '#contract/shared/urls.ts'
import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { ProductGrid } from '../catalog/product-card.tsx'
import { useShop } from '../shared/shop-context.tsx'

type EmptyCartProps = {
  suggestions: readonly ProductCardFacts[]
  /** The order that emptied the cart a moment ago. */
  placed: { id: number; key: string } | null
}

/** The content of an empty cart: the placed order, the link back, and some products. */
export function EmptyCart({ suggestions, placed }: EmptyCartProps) {
  const { t } = useShop()
  return (
    <>
      <div className="wc-empty-cart-message">
        {placed && (
          <div className="woocommerce-message" role="status">
            {t('Thank you for your order %s', String(placed.id))}{' '}
            <a href={urls.orderReceived(placed.id, placed.key)} className="button wc-forward">
              {t('View your order')}
            </a>
          </div>
        )}
        <div className="cart-empty woocommerce-info" role="status">
          {t('Your cart is currently empty.')}
        </div>
      </div>
      <p className="return-to-shop">
        <a className="button alt wc-backward" href={urls.shop()}>
          {t('Return to shop')}
        </a>
      </p>
      {suggestions.length > 0 && (
        <section className="home-section">
          <h2>{t('You might like')}</h2>
          <ProductGrid products={suggestions} belowFold />
        </section>
      )}
    </>
  )
}
