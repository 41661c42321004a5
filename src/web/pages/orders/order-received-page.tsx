import { urls } from '#contract/shared/urls.ts'
import type { OrderFacts, OrderReceivedFacts } from '#shop/checkout/checkout-facts.ts'
import type { Nonces } from '../../parts/cart/cart-form.tsx'
import { Amount } from '../../parts/currency/price.tsx'
import { CustomerDetails, OrderDetails } from '../../parts/orders/order-details.tsx'
import { OrderLogIn } from '../../parts/orders/order-log-in.tsx'
import { VerifyEmail } from '../../parts/orders/verify-email.tsx'
import { PaymentInstructions } from '../../parts/payments/payment-instructions.tsx'
import { Day } from '../../parts/shared/day.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The order confirmation page, limited to the data that this visitor may see. */
export function OrderReceivedPage({ facts, nonces = {} }: { facts: OrderReceivedFacts; nonces?: Nonces }) {
  const { t } = useShop()
  return (
    <article className="private-page order-received">
      <h1 className="entry-title">{title(facts, t)}</h1>
      <div className="woocommerce">
        <div className="woocommerce-order">
          <Content facts={facts} nonces={nonces} />
        </div>
      </div>
    </article>
  )
}

function title(facts: OrderReceivedFacts, t: ReturnType<typeof useShop>['t']): string {
  switch (facts.kind) {
    case 'failed':
      return t('Payment failed')
    case 'checking':
      return t('We are checking your payment')
    case 'log-in':
      return t('Please log in')
    case 'cancelled':
    case 'sold-out':
      return t('Order canceled')
    case 'verify-email':
      return t('Confirm your email address')
    default:
      return t('Order received')
  }
}

function Content({ facts, nonces }: { facts: OrderReceivedFacts; nonces: Nonces }) {
  const { t } = useShop()
  switch (facts.kind) {
    case 'generic':
      return <ThankYou />
    case 'log-in':
      return (
        <OrderLogIn
          text={t('This order belongs to an account. Please log in to see it.')}
          nonces={nonces}
          returnTo={facts.url}
        />
      )
    case 'verify-email':
      return <VerifyEmail failed={facts.failed} nonce={nonces.wc_verify_email ?? ''} />
    case 'checking':
      return (
        <>
          <p className="woocommerce-notice woocommerce-notice--info" role="status">
            {t(
              'We have recorded your order. The payment provider has not confirmed the payment yet; you do not need to pay again. We will email you when it arrives.',
            )}
          </p>
          <p>
            <a className="button" href={facts.reloadUrl}>
              {t('Check again')}
            </a>
          </p>
          <Overview order={facts.order} />
          <OrderDetails order={facts.order} />
        </>
      )
    case 'failed':
      return (
        <>
          <p className="woocommerce-notice woocommerce-notice--error woocommerce-thankyou-order-failed" role="alert">
            {t('Your payment was declined and nothing was charged. You can try to pay again.')}
          </p>
          <p className="woocommerce-notice woocommerce-notice--error woocommerce-thankyou-order-failed-actions">
            <a href={facts.payUrl} className="button pay">
              {t('Pay')}
            </a>
          </p>
          <Overview order={facts.order} />
        </>
      )
    case 'sold-out':
      return (
        <>
          <p className="woocommerce-notice woocommerce-notice--info" role="status">
            {t(
              'One of your products went out of stock before your payment arrived. The order is canceled and you will get your money back; we will email you when it is on its way.',
            )}
          </p>
          <Overview order={facts.order} />
          <OrderDetails order={facts.order} />
        </>
      )
    case 'cancelled':
      return (
        <>
          <p className="woocommerce-notice woocommerce-notice--info" role="status">
            {t('This order was canceled. There is nothing to pay.')}
          </p>
          <Overview order={facts.order} />
          <OrderDetails order={facts.order} />
        </>
      )
    case 'received':
      return (
        <>
          <ThankYou />
          <Overview order={facts.order} />
          {facts.instructions && <PaymentInstructions facts={facts.instructions} />}
          <OrderDetails order={facts.order} />
          <CustomerDetails order={facts.order} />
          <Onward />
        </>
      )
  }
}

function ThankYou() {
  const { t } = useShop()
  return (
    <p className="woocommerce-notice woocommerce-notice--success woocommerce-thankyou-order-received">
      {t('Thank you. Your order has been received.')}
    </p>
  )
}

function Onward() {
  const { t } = useShop()
  return (
    <p>
      <a className="button wc-backward" href={urls.shop()}>
        {t('Continue shopping')}
      </a>
    </p>
  )
}

function Overview({ order }: { order: OrderFacts }) {
  const { t } = useShop()
  return (
    <ul className="woocommerce-order-overview woocommerce-thankyou-order-details order_details">
      <li className="woocommerce-order-overview__order order">
        {t('Order number:')} <strong translate="no">{order.number}</strong>
      </li>
      <li className="woocommerce-order-overview__date date">
        {t('Date:')}{' '}
        <strong>
          <Day at={order.createdAt} />
        </strong>
      </li>
      {order.email && (
        <li className="woocommerce-order-overview__email email">
          {t('Email:')} <strong translate="no">{order.email}</strong>
        </li>
      )}
      <li className="woocommerce-order-overview__total total">
        {t('Total:')}{' '}
        <strong>
          <Amount value={order.total} />
        </strong>
      </li>
      {order.paymentMethodTitle && (
        <li className="woocommerce-order-overview__payment-method method">
          {t('Payment method:')} <strong>{order.paymentMethodTitle}</strong>
        </li>
      )}
    </ul>
  )
}
