import { z } from 'zod'
import { transaction } from '#database/engine/connect.ts'
import { lockOrder, updateOrder } from '#database/orders/orders.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import { type OrderStatus, orderStatuses } from '#domain/orders/order-status.ts'
import { announceInvoice } from '#shop/mail/mail-events.ts'
import { isImported } from '#shop/orders/imported-order.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { invalidParam, V3Error } from '../resource/v3-error.ts'
import { parentOrder } from './parent-order.ts'

const names: Readonly<Record<OrderStatus, string>> = {
  'checkout-draft': 'Draft',
  pending: 'Pending payment',
  'on-hold': 'On hold',
  processing: 'Processing',
  completed: 'Completed',
  cancelled: 'Canceled',
  refunded: 'Refunded',
  failed: 'Failed',
}

/** `GET wc/v3/orders/statuses`: statuses of orders with their names. */
const v3OrderStatusesCall = v3Call({
  name: 'orders/statuses',
  method: 'GET',
  tag: 'orders',
  summary: 'List the statuses of orders',
  input: z.looseObject({}),
  output: z.array(z.object({ slug: z.enum(orderStatuses), name: z.string() })),
  answer: async () => Response.json(orderStatuses.map((slug) => ({ slug, name: names[slug] }))),
})

const sendInput = z.looseObject({
  /** Address of an order without one; with `force_email_update` also in place of another. */
  email: z.string().trim().max(320).optional(),
  force_email_update: z.boolean().default(false),
})
const sent = z.object({ message: z.string() })

/** `POST wc/v3/orders/{id}/actions/send_order_details`: emails the order, with its payment link while it is unpaid. */
const v3SendDetailsCall = v3Call({
  name: 'orders/:id/actions/send_order_details',
  method: 'POST',
  tag: 'orders',
  summary: 'Email an order to its customer',
  input: sendInput,
  output: sent,
  answer: (context, input) => sendDetails(context, input),
})

/** `POST wc/v3/orders/{id}/actions/send_email`: the same by the name of its template. */
const v3SendEmailCall = v3Call({
  name: 'orders/:id/actions/send_email',
  method: 'POST',
  tag: 'orders',
  summary: 'Send an email about an order',
  // Emails about transitions, refunds and notes are sent once, by their events.
  input: sendInput.extend({ template_id: z.enum(['customer_invoice']) }),
  output: sent,
  answer: (context, input) => sendDetails(context, input),
})

async function sendDetails(
  context: V3Context,
  { email: given = '', force_email_update: isForced }: z.output<typeof sendInput>,
): Promise<Response> {
  const { tools } = context
  const email = cleanEmail(given)
  if (email !== '' && !isEmail(email)) throw invalidParam('email', 'is not an email address')
  const { id } = await parentOrder(context)
  const recipient = await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || order.trashed_at !== null || order.personal_data !== 'kept') return ''
    if (isImported(order))
      throw new V3Error(400, 'woocommerce_rest_cannot_send', 'No emails are sent about an order of another shop.')
    const stored = String(order.billing.email ?? '')
    const to = email !== '' && (stored === '' || isForced) ? email : stored
    if (to !== stored) {
      await updateOrder(tx, id, { billing: { ...order.billing, email: to }, updated_at: tools.clock.now() })
    }
    if (to !== '' && (email === '' || email === to)) await announceInvoice(tx, id)
    return to
  })
  if (recipient === '') throw new V3Error(400, 'woocommerce_rest_missing_email', 'The order has no email address.')
  if (email !== '' && email !== recipient)
    throw new V3Error(
      400,
      'woocommerce_rest_order_billing_email_update_not_allowed',
      'The order has another email address. Set force_email_update to replace it.',
    )
  await context.record('orders email', `order:${id}`)
  return Response.json({ message: `The order details are being emailed to ${recipient}.` })
}

/** Calls of orders beside their records. Fixed paths precede a path with an id in their place. */
export const v3OrderActionCalls = [v3OrderStatusesCall, v3SendDetailsCall, v3SendEmailCall]
