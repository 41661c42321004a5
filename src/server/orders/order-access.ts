import { numberIn } from '#contract/shared/number-text.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { readOrder } from '#shop/orders/read-order.ts'
import { limitGuesses } from '#shop/shared/limit-attempts.ts'
import { verifyEmailId } from '#web/parts/orders/verify-email.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { sameText } from '../http/security/nonce.ts'
import { isFromShop } from '../http/security/origin-check.ts'
import type { Visit } from '../http/visit.ts'
import { errorNotice } from '../notices/cart-notices.tsx'

/** How long an anonymous visitor with the link sees a guest's order without verification. */
const openForMs = 10 * 60 * 1000

type Order = NonNullable<Awaited<ReturnType<typeof readOrder>>>

export type GuardedOrder =
  /** Unknown order, or wrong key: the two are not distinguished. */
  | { kind: 'unknown' }
  /** The order belongs to an account that is not logged in here. */
  | { kind: 'log-in' }
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  /** `own`: placed by this visitor. */
  | { kind: 'open'; order: Order; own: boolean; ageMs: number }

/** The proof of a billing email address in a request. */
type EmailAnswer = 'right' | 'wrong' | 'none'

/**
 * Checks whether this visitor may see the order of an address, which contains its id and secret key.
 * @param proof returns the request's answer to the question for the email address; by default that of the page's form
 */
export async function guardOrder(
  visit: Visit,
  idText: string,
  key: string,
  proof: (visit: Visit, orderId: number, email: string) => Promise<EmailAnswer> = emailAnswer,
): Promise<GuardedOrder> {
  const { tools } = visit.app
  const id = numberIn(idText) ?? 0
  const order = id > 0 ? await readOrder(tools, id) : null
  if (!order || !sameText(key, order.row.key)) {
    visit.refuse('order-key', 'order')
    return { kind: 'unknown' }
  }
  const session = await visit.session()
  const { customer_id: owner } = order.row
  if (owner !== null && owner !== session.customerId) return { kind: 'log-in' }
  const own = owner !== null || order.row.session_id === session.id || session.state.ownOrders.includes(id)
  const ageMs = tools.clock.now().getTime() - order.row.created_at.getTime()
  if (!own && ageMs >= openForMs) {
    const answer = await proof(visit, id, order.facts.email)
    if (answer !== 'right') return { kind: 'verify-email', orderId: id, failed: answer === 'wrong' }
  }
  return { kind: 'open', order, own, ageMs }
}

/** Returns the notice after a wrong email address. */
export function verifyNotices({ t }: ShopContextValue, facts: { kind: string; failed?: boolean }): NoticeFacts[] {
  if (facts.kind !== 'verify-email' || !facts.failed) return []
  return [
    errorNotice(
      t('This is not the email address on the order. Please try again.'),
      verifyEmailId,
      t('Enter the email address on the order'),
    ),
  ]
}

/** Compares the email address that the visitor entered with the order's. */
async function emailAnswer(visit: Visit, orderId: number, email: string): Promise<EmailAnswer> {
  const { request } = visit
  if (request.method !== 'POST' || !isFromShop(visit)) return 'none'
  const fields = await visit.fields()
  if (fields.check_submission === undefined) return 'none'
  if (!(await visit.isNonce(fields.check_submission, 'wc_verify_email'))) return 'wrong'
  return compareEmail(visit, orderId, email, typeof fields.email === 'string' ? fields.email : '')
}

/** Compares a typed email address with the order's; the number of attempts is limited. */
export async function compareEmail(
  visit: Visit,
  orderId: number,
  email: string,
  given: string,
): Promise<'right' | 'wrong'> {
  const tries = await limitGuesses(visit.app.tools, 'verify-email', { subject: String(orderId), ip: visit.ip })
  if (!tries.ok || !sameText(emailIdentity(given), emailIdentity(email))) return 'wrong'
  await tries.honest()
  return 'right'
}
