import { amountOf } from '../orders/amounts.ts'
import { DAY_MS } from '../world/clock.ts'
import { payerIdFor } from '../world/ids.ts'
import type { World } from '../world/world.ts'
import { MERCHANT } from '../world/world.ts'
import { ControlError, isOn, oneOf, whole } from './control-error.ts'
import type { Post } from './payments-api.ts'

/** What happens to notifications on their way, and notifications that nobody should believe. */
export function serveWebhookModes(post: Post, world: World): void {
  const { webhooks } = world
  post('/webhooks/hold', ({ on }) => {
    webhooks.hold(isOn(on))
    return { ok: true }
  })
  post('/webhooks/duplicate', ({ copies }) => {
    const count = whole(copies, 'copies', 2, 1, 20)
    webhooks.duplicate(count)
    return { copies: count }
  })
  post('/webhooks/reorder', ({ on }) => {
    webhooks.reorder(isOn(on))
    return { ok: true }
  })
  post('/webhooks/drop', ({ count }) => {
    const number = whole(count, 'count', 1, 0, 1_000)
    webhooks.drop(number)
    return { count: number }
  })
  post('/webhooks/backdate', ({ days }) => {
    const number = whole(days, 'days', 3, 0, 30)
    webhooks.backdate(number * DAY_MS)
    return { days: number }
  })
  post('/webhooks/flush', async ({ order }) => ({
    sent: await webhooks.flush(order === 'reversed' ? 'reversed' : 'forward'),
  }))
  // Without an id: the oldest that is known.
  post('/webhooks/replay', ({ event }) => {
    const id = typeof event === 'string' && event !== '' ? event : webhooks.events()[0]?.id
    const sent = id === undefined ? undefined : webhooks.resend(id)
    if (!sent) throw new ControlError(404, 'no such event')
    return { id: sent.id, type: sent.type }
  })
  post('/webhooks/false', ({ kind, order }) => {
    const how = oneOf(['forged', 'foreign-merchant', 'sandbox'], kind ?? 'forged', 'kind')
    const known = [...world.orders.values()]
    const target = known.find(({ id }) => id === order) ?? known.at(-1)
    if (order !== undefined && order !== '' && target?.id !== order) throw new ControlError(404, 'no such order')
    const event = webhooks.emitFalse(how, {
      type: 'PAYMENT.CAPTURE.COMPLETED',
      resourceType: 'capture',
      summary: 'Payment completed',
      resource: () => madeUpCapture(world, target?.id, how),
    })
    if (!event) throw new ControlError(409, 'no webhook is registered')
    return { id: event.id }
  })
}

/** A payment that never was, for an order that is there: whoever believes it gives goods away. */
function madeUpCapture(world: World, orderId: string | undefined, how: string): object {
  const order = orderId === undefined ? undefined : world.orders.get(orderId)
  const unit = order?.units[0]
  const id = world.ids.resource()
  const stranger = 'somebody-else@emulator.test'
  return {
    id,
    status: 'COMPLETED',
    amount: unit ? { currency_code: unit.amount.currency_code, value: unit.amount.value } : amountOf(1_000n, 'USD'),
    final_capture: true,
    ...(unit?.custom_id === undefined ? {} : { custom_id: unit.custom_id }),
    ...(unit?.invoice_id === undefined ? {} : { invoice_id: unit.invoice_id }),
    payee: how === 'foreign-merchant' ? { email_address: stranger, merchant_id: payerIdFor(stranger) } : MERCHANT,
    supplementary_data: { related_ids: order ? { order_id: order.id } : {} },
    links: [{ href: `${world.origin}/v2/payments/captures/${id}`, rel: 'self', method: 'GET' }],
  }
}
