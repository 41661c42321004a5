import { urls } from '#contract/shared/urls.ts'
import { lineName } from '#domain/orders/line-name.ts'
import type { CartFacts, CartLineFacts } from '#shop/cart/cart-facts.ts'
import { Amount } from '../currency/price.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { Picture } from '../shared/picture.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { Choices } from './line-choices.tsx'

/** The fragment `div.widget_shopping_cart_content`: a short form of the cart. */
export function MiniCart({ cart }: { cart: CartFacts | null }) {
  const { t } = useShop()
  return (
    <div className="widget_shopping_cart_content">
      {!cart || cart.lines.length === 0 ? (
        <>
          <p className="woocommerce-mini-cart__empty-message">{t('No products in the cart.')}</p>
          <p>
            <a className="button" href={urls.shop()}>
              {t('Go to the shop')}
            </a>
          </p>
        </>
      ) : (
        <>
          <ul className="woocommerce-mini-cart cart_list product_list_widget">
            {cart.lines.map((line) => (
              <MiniCartLine key={line.key} line={line} />
            ))}
          </ul>
          <p className="woocommerce-mini-cart__total total">
            <strong>{t('Subtotal:')}</strong> <Amount value={cart.subtotal} />
          </p>
          <p className="woocommerce-mini-cart__buttons buttons">
            <a href={urls.cart()} className="button wc-forward">
              {t('View cart')}
            </a>
            <a href={urls.checkout()} className="button checkout wc-forward">
              {t('Checkout')}
            </a>
          </p>
        </>
      )}
    </div>
  )
}

function MiniCartLine({ line }: { line: CartLineFacts }) {
  const { t } = useShop()
  return (
    <li className="woocommerce-mini-cart-item mini_cart_item">
      <LinkButton
        href={line.removeUrl}
        className="remove remove_from_cart_button"
        aria-label={t('Remove %s from cart', lineName(line))}
        data-product_id={line.variationId ?? line.productId}
        data-cart_item_key={line.key}
        data-product_sku={line.sku}
        data-success_message={t('“%s” has been removed from your cart', lineName(line))}
      >
        ×
      </LinkButton>
      <a href={line.url}>
        {line.image && <Picture image={line.image} sizes="5rem" fallbackWidth={160} decorative />}
        {line.name}
      </a>
      <Choices choices={line.choices} />
      <span className="quantity" translate="no">
        {line.quantity} × <Amount value={line.price} />
      </span>
    </li>
  )
}

/** The fragment `span.cart-count`: the number of items in the cart; empty on cacheable pages. */
export function CartCount({ count }: { count: number | null }) {
  const { n } = useShop()
  return (
    <span className="cart-count">
      {count !== null && count > 0 && (
        <>
          <span aria-hidden="true" translate="no">
            {count}
          </span>
          <span className="screen-reader-text">{n(count, '%s item', '%s items')}</span>
        </>
      )}
    </span>
  )
}
