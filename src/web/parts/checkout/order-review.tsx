import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { Choices } from '../cart/line-choices.tsx'
import { TotalsRows } from '../cart/totals-rows.tsx'
import { Approximate } from '../currency/approximate-amount.tsx'
import { Amount } from '../currency/price.tsx'
import { Picture } from '../shared/picture.tsx'
import { rowHeader } from '../shared/row-header.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The fragment `table.woocommerce-checkout-review-order-table`. */
export function OrderReview({ cart }: { cart: CartFacts }) {
  const { t } = useShop()
  return (
    <table className="shop_table woocommerce-checkout-review-order-table">
      <thead>
        <tr>
          <th className="product-name" scope="col">
            {t('Product')}
          </th>
          <th className="product-total" scope="col">
            {t('Subtotal')}
          </th>
        </tr>
      </thead>
      <tbody>
        {cart.lines.map((line) => (
          <tr key={line.key} className="cart_item">
            <td className="product-name" {...rowHeader}>
              {line.image && (
                <Picture image={line.image} sizes="4rem" fallbackWidth={160} priority="visible" decorative />
              )}
              <span>
                {line.name}{' '}
                <strong className="product-quantity" translate="no">
                  ×&nbsp;{line.quantity}
                </strong>
              </span>
              <Choices choices={line.choices} />
            </td>
            <td className="product-total">
              <Amount value={line.subtotal} />
              <Approximate value={cart.guide?.lines.find(({ key }) => key === line.key)?.subtotal} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <TotalsRows cart={cart} place="review" />
      </tfoot>
    </table>
  )
}
