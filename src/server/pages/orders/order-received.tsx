import { urls } from '#contract/shared/urls.ts'
import type { OrderFacts, OrderReceivedFacts } from '#shop/checkout/checkout-facts.ts'
import { closePurchase } from '#shop/checkout/close-purchase.ts'
import { readOrder } from '#shop/orders/read-order.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import { paymentInstructions } from '#shop/payments/operation/payment-methods.ts'
import { isSoldOutRefundDue } from '#shop/payments/refund/refund-sold-out.ts'
import { OrderReceivedPage } from '#web/pages/orders/order-received-page.tsx'
import { updateCartCookies } from '../../cart/fragments.tsx'
import type { Visit } from '../../http/visit.ts'
import { guardOrder, verifyNotices } from '../../orders/order-access.ts'
import { privatePage } from '../shared/page-answer.tsx'

/** An order older than this no longer empties the cart: its content was added later. */
const settledAfterMs = 48 * 60 * 60 * 1000

/** Answers with the order confirmation page, as far as this visitor may see it. */
export async function orderReceivedPage(visit: Visit, { id = '' }: Record<string, string>): Promise<Response> {
  const facts = await factsFor(visit, id)
  const shop = await visit.app.shop()
  const nonces =
    facts.kind === 'verify-email'
      ? { wc_verify_email: await visit.nonce('wc_verify_email') }
      : facts.kind === 'log-in'
        ? { 'woocommerce-login': await visit.nonce('woocommerce-login') }
        : {}
  return privatePage(visit, {
    kind: 'order-received',
    script: 'other',
    title: shop.t('Order received'),
    robots: 'noindex',
    notices: verifyNotices(shop, facts),
    element: <OrderReceivedPage facts={facts} nonces={nonces} />,
  })
}

async function factsFor(visit: Visit, idText: string): Promise<OrderReceivedFacts> {
  const { tools } = visit.app
  const key = visit.url.searchParams.get('key') ?? ''
  const guarded = await guardOrder(visit, idText, key)
  if (guarded.kind === 'unknown') return { kind: 'generic' }
  if (guarded.kind === 'log-in') return { kind: 'log-in', url: urls.orderReceived(Number(idText), key) }
  if (guarded.kind === 'verify-email') return guarded
  const { order, own, ageMs } = guarded
  const { id } = order.row
  const facts = await looked(visit, id, order)
  const session = await visit.session()
  if (own && ageMs < settledAfterMs && facts.kind === 'received' && !session.state.ownOrders.includes(id)) {
    visit.adopt(await closePurchase(tools, session, id))
    await updateCartCookies(visit)
  }
  return facts
}

/** Returns the current state of the payment; while it is undecided the provider is asked once. */
async function looked(
  visit: Visit,
  id: number,
  order: NonNullable<Awaited<ReturnType<typeof readOrder>>>,
): Promise<OrderReceivedFacts> {
  const { facts, row } = order
  const { tools } = visit.app
  const received = async (shown: OrderFacts): Promise<OrderReceivedFacts> => {
    return { kind: 'received', order: shown, instructions: await paymentInstructions(tools, shown) }
  }
  if (isSoldOutRefundDue(row)) return { kind: 'sold-out', order: facts }
  if (row.status === 'cancelled' && facts.paymentState !== 'attention') return { kind: 'cancelled', order: facts }
  // Failed without a payment at a provider: the merchant cancelled it.
  if (row.status === 'failed' && facts.paymentState === 'none') {
    return { kind: 'failed', order: facts, payUrl: urls.orderPay(id, row.key) }
  }
  switch (facts.paymentState) {
    case 'authorising':
    case 'captured': {
      const result = await finishPayment(tools, id)
      const again = result.ok ? await readOrder(tools, id) : null
      if (again && result.ok && result.state !== 'review') return received(again.facts)
      return { kind: 'checking', order: facts, reloadUrl: urls.orderReceived(id, row.key) }
    }
    case 'review':
    case 'attention':
      return { kind: 'checking', order: facts, reloadUrl: urls.orderReceived(id, row.key) }
    case 'pending':
    case 'failed':
      return { kind: 'failed', order: facts, payUrl: urls.orderPay(id, row.key) }
    default:
      return received(facts)
  }
}
