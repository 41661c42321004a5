import { urls } from '#contract/urls.ts'
import type { OrderReceivedFacts } from '#shop/checkout-facts.ts'
import { finishPayment } from '#shop/finish-payment.ts'
import { readOrder } from '#shop/read-order.ts'
import { closePurchase } from '#shop/submit-checkout.ts'
import { OrderReceivedPage } from '#web/pages/order-received-page.tsx'
import { tellCart } from '../fragments.tsx'
import { sameText } from '../nonce.ts'
import { isSameOrigin } from '../origin-check.ts'
import { privatePage } from '../page-answer.tsx'
import type { Visit } from '../visit.ts'

/** A stranger with the link sees a guest's order without question only for so long. */
const openForMs = 10 * 60 * 1000

/** The confirmation, as much of it as this visitor may see. */
export async function orderReceivedPage(visit: Visit, { id = '' }: Record<string, string>): Promise<Response> {
  const facts = await factsFor(visit, id)
  const { t } = await visit.app.shop()
  const nonces = facts.kind === 'verify-email' ? { wc_verify_email: await visit.nonce('wc_verify_email') } : {}
  return privatePage(visit, {
    kind: 'order-received',
    script: 'other',
    title: t('Order received'),
    robots: 'noindex',
    element: <OrderReceivedPage facts={facts} nonces={nonces} />,
  })
}

async function factsFor(visit: Visit, idText: string): Promise<OrderReceivedFacts> {
  const { tools } = visit.app
  const key = visit.url.searchParams.get('key') ?? ''
  const id = /^\d{1,15}$/.test(idText) ? Number(idText) : 0
  const order = id > 0 ? await readOrder(tools, id) : null
  if (!order || !sameText(key, order.row.key)) return { kind: 'generic' }

  const session = await visit.session()
  const own = order.row.session_id === session.id || session.state.ownOrders.includes(id)
  const young = tools.clock.now().getTime() - order.row.created_at.getTime() < openForMs
  if (!own && !young) {
    const answer = await emailAnswer(visit, order.facts.email)
    if (answer !== 'right') return { kind: 'verify-email', orderId: id, failed: answer === 'wrong' }
  }
  const facts = await looked(visit, id, order)
  if (own && facts.kind === 'received' && !session.state.ownOrders.includes(id)) {
    visit.adopt(await closePurchase(tools, session, id))
    tellCart(visit, { hash: '', lines: [] })
  }
  return facts
}

/** What is known of the order's money now; while that is open the provider is asked once more. */
async function looked(
  visit: Visit,
  id: number,
  order: NonNullable<Awaited<ReturnType<typeof readOrder>>>,
): Promise<OrderReceivedFacts> {
  const { facts, row } = order
  const { tools } = visit.app
  switch (facts.paymentState) {
    case 'authorising':
    case 'captured': {
      const result = await finishPayment(tools, id)
      const again = result.ok ? await readOrder(tools, id) : null
      if (again && result.ok && result.state === 'paid') return { kind: 'received', order: again.facts }
      return { kind: 'checking', order: facts, reloadUrl: urls.orderReceived(id, row.key) }
    }
    case 'review':
    case 'attention':
      return { kind: 'checking', order: facts, reloadUrl: urls.orderReceived(id, row.key) }
    case 'pending':
    case 'failed':
      return { kind: 'failed', order: facts, payUrl: urls.checkout() }
    default:
      return { kind: 'received', order: facts }
  }
}

/** Whether the visitor has named the order's e-mail address. */
async function emailAnswer(visit: Visit, email: string): Promise<'right' | 'wrong' | 'none'> {
  const { request } = visit
  if (request.method !== 'POST' || !isSameOrigin(request, visit.app.tools.publicUrl)) return 'none'
  const fields = await visit.fields()
  if (!(await visit.isNonce(fields.check_submission, 'wc_verify_email'))) return 'wrong'
  const typed = typeof fields.email === 'string' ? fields.email.trim().toLowerCase() : ''
  return sameText(typed, email.trim().toLowerCase()) ? 'right' : 'wrong'
}
