import { transaction } from '#database/engine/connect.ts'
import { lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { findPaymentTokens } from '#database/payments/payment-tokens.ts'
import { findSavedSetup, findSetupTokens, type SetupTokenRow } from '#database/payments/vault.ts'
import type { CheckoutForm } from '../../checkout/checkout-form.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { savePaymentMethod } from './save-method.ts'

/** Payment method that an order without a payment saves: a saved one, or one approved just now. */
export type MethodToSave =
  | { readonly kind: 'saved'; readonly id: number }
  | { readonly kind: 'approved'; token: string }

/** Validity of an approval while the shopper completes the form. */
const freshForMs = 3 * 60 * 60_000

/**
 * Returns the payment method of a form for an order that requires one. Tokens count only for their visitor. A browser
 * without scripts returns from PayPal without a token: then the visitor's last approval for the checkout counts.
 * @returns null where there is none yet
 */
export async function savedMethodForOrder(
  tools: Tools,
  session: Pick<VisitSession, 'id' | 'customerId'>,
  { paymentMethod: method, payment }: Pick<CheckoutForm, 'paymentMethod' | 'payment'>,
): Promise<MethodToSave | null> {
  const { kysely } = tools.db
  const environment = tools.paymentEnvironment
  const { customerId } = session
  const now = tools.clock.now()
  const saved = customerId === null ? [] : await findPaymentTokens(kysely, customerId, environment)
  const month = now.toISOString().slice(0, 7)
  if (/^\d{1,15}$/.test(payment.kept)) {
    const one = saved.find((row) => row.id === Number(payment.kept) && row.method === method)
    return one && (one.expires === '' || one.expires >= month) ? { kind: 'saved', id: one.id } : null
  }
  if (payment.paymentToken !== '') {
    const token = payment.paymentToken
    const own = saved.find((row) => row.token === token && row.method === method)
    if (own) return { kind: 'saved', id: own.id }
    const setup = await findSavedSetup(kysely, { token, method, environment }, { sessionId: session.id, customerId })
    return setup ? { kind: 'approved', token } : null
  }
  const since = new Date(now.getTime() - freshForMs)
  const owner = { sessionId: session.id, method, context: 'checkout', environment, since }
  const last = (await findSetupTokens(kysely, owner)).find(({ state }) => state === 'kept')
  if (!last?.payment_token || (await isUsed(tools, customerId, last))) return null
  return { kind: 'approved', token: last.payment_token }
}

/** Reports whether a later order uses the approval: it is for one order, unless a form names it. */
async function isUsed({ db }: Tools, customerId: number | null, approved: SetupTokenRow): Promise<boolean> {
  if (customerId === null) return false
  const order = await db.kysely
    .selectFrom('orders')
    .innerJoin('payment_tokens', 'payment_tokens.id', 'orders.kept_method')
    .select('orders.id')
    .where('orders.customer_id', '=', customerId)
    .where('payment_tokens.token', '=', approved.payment_token)
    .where('orders.created_at', '>', approved.created_at)
    .where('orders.status', '<>', 'pending')
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}

/** Sets the payment method of the order, and saves a new approval for the order's customer. */
export async function saveMethodForOrder(
  tools: Tools,
  order: Pick<OrderRow, 'id' | 'customer_id' | 'payment_method'>,
  means: MethodToSave,
): Promise<'kept' | 'unreachable' | 'refused'> {
  let id = means.kind === 'saved' ? means.id : null
  if (means.kind === 'approved') {
    if (order.customer_id === null) return 'refused'
    const read = await tools.paypal?.getPaymentToken(means.token)
    if (!read?.ok) return read?.kind === 'refused' && read.status === 404 ? 'refused' : 'unreachable'
    const { customer, payment_source: source } = read.value
    if (!source) return 'refused'
    const row = await savePaymentMethod(tools, {
      customerId: order.customer_id,
      method: order.payment_method,
      token: means.token,
      providerCustomer: customer?.id,
      source,
    })
    id = row?.id ?? null
  }
  if (id === null) return 'refused'
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    await updateOrder(tx, order.id, { kept_method: id })
  })
  return 'kept'
}
