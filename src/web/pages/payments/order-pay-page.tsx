import { urls } from '#contract/shared/urls.ts'
import type { OrderPayFacts } from '#shop/checkout/checkout-facts.ts'
import type { Nonces } from '../../parts/cart/cart-form.tsx'
import { OrderDetails } from '../../parts/orders/order-details.tsx'
import { OrderLogIn } from '../../parts/orders/order-log-in.tsx'
import { orderStatusText } from '../../parts/orders/orders-table.tsx'
import { VerifyEmail } from '../../parts/orders/verify-email.tsx'
import { PaymentMethods, Terms, termsId } from '../../parts/payments/payment.tsx'
import { PaymentHiddenFields } from '../../parts/payments/payment-hidden-fields.tsx'
import { WalletButtons } from '../../parts/payments/wallet-buttons.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type OrderPayPageProps = {
  facts: OrderPayFacts
  nonces: Nonces
  /** Ids of the rejected fields. */
  invalid?: readonly string[]
}

/** The page that pays an existing order, limited to the data that this visitor may see. */
export function OrderPayPage(props: OrderPayPageProps) {
  const { t } = useShop()
  return (
    <article className="private-page order-pay">
      <h1 className="entry-title">{t('Pay for order')}</h1>
      <div className="woocommerce">
        <div className="woocommerce-order">
          <Content {...props} />
        </div>
      </div>
    </article>
  )
}

function Content({ facts, nonces, invalid = [] }: OrderPayPageProps) {
  const { t } = useShop()
  switch (facts.kind) {
    case 'unknown':
      return (
        <Refusal text={t('This order cannot be paid for: the link is incorrect, or the order no longer exists.')}>
          <a href={urls.shop()} className="wc-backward">
            {t('Return to shop')}
          </a>
        </Refusal>
      )
    case 'log-in':
      return (
        <OrderLogIn
          text={t('This order belongs to an account. Please log in to pay for it.')}
          nonces={nonces}
          returnTo={facts.url}
        />
      )
    case 'verify-email':
      return <VerifyEmail failed={facts.failed} nonce={nonces.wc_verify_email ?? ''} />
    case 'not-payable':
      return (
        <Refusal
          text={t('This order’s status is “%s”: it cannot be paid for.', orderStatusText({ t }, facts.order.status))}
        >
          <a href={urls.orderReceived(facts.order.id, facts.order.key)}>{t('View your order')}</a>
        </Refusal>
      )
    case 'sold-out':
      return (
        <>
          <Refusal text={t('Sorry, we no longer have enough of “%s” to fulfill this order.', facts.names.join('”, “'))}>
            <a href={urls.shop()} className="wc-backward">
              {t('Return to shop')}
            </a>
          </Refusal>
          <OrderDetails order={facts.order} />
        </>
      )
    case 'pay':
      return <PayForm facts={facts} nonces={nonces} invalid={invalid} />
  }
}

function Refusal({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div className="woocommerce-error" role="alert">
      {text} {children}
    </div>
  )
}

type PayFormProps = {
  facts: Extract<OrderPayFacts, { kind: 'pay' }>
  nonces: Nonces
  invalid: readonly string[]
}

/** A form that works without scripts; it posts to the page's URL. */
function PayForm({ facts: { order, methods, terms }, nonces, invalid }: PayFormProps) {
  const { t, wallet } = useShop()
  const buttonText = t('Pay for order')
  const owed = order.total.minor > 0
  return (
    <form id="order_review" method="post" className="order-pay__form" aria-label={t('Pay for order')} noValidate>
      <OrderDetails order={order} paid={false} />
      <div id="payment" className="woocommerce-checkout-payment">
        {owed && (
          <PaymentMethods
            methods={methods}
            none={t('There is no payment method for this order at the moment. Please contact us.')}
          >
            {wallet.buttonPlacement === 'payment_method' && <WalletButtons page="order_pay" methods={methods} />}
          </PaymentMethods>
        )}
        <div className="form-row place-order">
          <Terms asked={terms} invalid={invalid.includes(termsId)} />
          <button
            type="submit"
            className="button alt"
            id="place_order"
            name="woocommerce_checkout_place_order"
            value={buttonText}
            data-value={buttonText}
          >
            {buttonText}
          </button>
          {owed && wallet.buttonPlacement === 'place_order' && <WalletButtons page="order_pay" methods={methods} />}
          <input type="hidden" name="woocommerce_pay" value="1" />
          <input type="hidden" name="woocommerce-pay-nonce" value={nonces['woocommerce-pay'] ?? ''} />
          <PaymentHiddenFields />
          <input type="hidden" name="order_id" value={order.id} />
          <input type="hidden" name="order_key" value={order.key} />
          {/* The total on this screen is charged. */}
          <input type="hidden" name="seen_total" value={order.total.minor} />
        </div>
      </div>
    </form>
  )
}
