import { urls } from '#contract/shared/urls.ts'
import { lineName } from '#domain/orders/line-name.ts'
import type { CartFacts, CartLineFacts } from '#shop/cart/cart-facts.ts'
import { CartCoupon } from '../coupons/coupon-form.tsx'
import { Amount } from '../currency/price.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { Picture } from '../shared/picture.tsx'
import { rowHeader } from '../shared/row-header.ts'
import { useShop } from '../shared/shop-context.tsx'
import { cartFormId } from './cart-form-id.ts'
import { Choices } from './line-choices.tsx'
import { Quantity } from './quantity.tsx'

/** Nonces of private pages, by action. */
export type Nonces = Readonly<Record<string, string>>

/** The lines of the cart: quantities, remove links and the coupon field, submitted as one form. */
export function CartForm({ cart, nonces }: { cart: CartFacts; nonces: Nonces }) {
  const { t, couponsEnabled } = useShop()
  return (
    <form id={cartFormId} className="woocommerce-cart-form" action={urls.cart()} method="post">
      <table className="shop_table shop_table_responsive cart woocommerce-cart-form__contents">
        <thead>
          <tr>
            <th className="product-remove" scope="col">
              <span className="screen-reader-text">{t('Remove item')}</span>
            </th>
            <th className="product-thumbnail" scope="col">
              <span className="screen-reader-text">{t('Thumbnail image')}</span>
            </th>
            <th className="product-name" scope="col">
              {t('Product')}
            </th>
            <th className="product-price" scope="col">
              {t('Price')}
            </th>
            <th className="product-quantity" scope="col">
              {t('Quantity')}
            </th>
            <th className="product-subtotal" scope="col">
              {t('Subtotal')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cart.lines.map((line) => (
            <CartLine key={line.key} line={line} />
          ))}
          <tr>
            <td className="actions" colSpan={6}>
              {couponsEnabled && <CartCoupon />}
              <button type="submit" className="button" name="update_cart" value={t('Update cart')}>
                {t('Update cart')}
              </button>
              <input
                type="hidden"
                id="woocommerce-cart-nonce"
                name="woocommerce-cart-nonce"
                value={nonces['woocommerce-cart'] ?? ''}
              />
              <input type="hidden" name="_wp_http_referer" value={urls.cart()} />
            </td>
          </tr>
        </tbody>
      </table>
    </form>
  )
}

/** The image duplicates the link of the name: keyboards and screen readers need only one. */
const forPointersOnly = { tabIndex: -1, 'aria-hidden': true }

function CartLine({ line }: { line: CartLineFacts }) {
  const { t } = useShop()
  return (
    <tr className="woocommerce-cart-form__cart-item cart_item">
      <td className="product-remove">
        <LinkButton
          href={line.removeUrl}
          className="remove"
          aria-label={t('Remove %s from cart', lineName(line))}
          data-product_id={line.variationId ?? line.productId}
          data-product_sku={line.sku}
        >
          ×
        </LinkButton>
      </td>
      <td className="product-thumbnail">
        {line.image && (
          <a href={line.url} {...forPointersOnly}>
            <Picture image={line.image} sizes="7.5rem" fallbackWidth={160} priority="visible" decorative />
          </a>
        )}
      </td>
      <td className="product-name" {...rowHeader} data-title={t('Product')}>
        <a href={line.url}>{line.name}</a>
        <Choices choices={line.choices} />
        {line.onBackorder && <p className="backorder_notification">{t('Available on backorder')}</p>}
      </td>
      <td className="product-price" data-title={t('Price')}>
        <Amount value={line.price} />
      </td>
      <td className="product-quantity" data-title={t('Quantity')}>
        <Quantity
          id={`quantity_${line.key}`}
          name={`cart[${line.key}][qty]`}
          productName={lineName(line)}
          value={line.quantity}
          min={line.soldIndividually ? 1 : 0}
          max={line.soldIndividually ? 1 : line.maxQuantity}
          fixed={line.soldIndividually}
        />
        {line.soldIndividually && <span>{line.quantity}</span>}
      </td>
      <td className="product-subtotal" data-title={t('Subtotal')}>
        <Amount value={line.subtotal} />
      </td>
    </tr>
  )
}
