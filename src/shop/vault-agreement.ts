import type { BillingTokenAnswer } from '#contract/calls/payment-vault.ts'
import type { AgreementToken } from '#contract/paypal/vault.ts'
import { limitTries } from './limit-tries.ts'
import type { Tools } from './tools.ts'
import type { VisitSession } from './visit-session.ts'

export type AgreementResult =
  | { ok: true; answer: BillingTokenAnswer }
  | { ok: false; reason: 'unknown' | 'unreachable' }
  | { ok: false; reason: 'too-many'; waitMs: number }

/** Payer and address of an agreement from before there was a vault, for a visitor who has a cart or an order to pay. */
export async function readAgreementToken(
  tools: Tools,
  { id: sessionId, state, version }: VisitSession,
  { id, ip }: { id: string; ip: string },
): Promise<AgreementResult> {
  const buys = version > 0 && (state.lines.length > 0 || state.awaitingOrder !== null || state.ownOrders.length > 0)
  if (!tools.paypal || !tools.settings.paypal.enabled || !buys) return { ok: false, reason: 'unknown' }
  const tries = await limitTries(tools, 'keep', { subject: sessionId, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const read = await tools.paypal.getAgreementToken(id)
  if (!read.ok) {
    const isKnown = read.kind === 'refused' && read.status !== 429 && read.status !== 401
    return { ok: false, reason: isKnown ? 'unknown' : 'unreachable' }
  }
  return { ok: true, answer: answerOf(id, read.value) }
}

function answerOf(id: string, { payer, shipping_address: shipTo }: AgreementToken): BillingTokenAnswer {
  const info = payer?.payer_info
  const shipping = shipTo ?? info?.shipping_address
  const name = given({ given_name: info?.first_name, surname: info?.last_name })
  return {
    id,
    ...(info
      ? { payer: { name, ...given({ email_address: info.email, phone: info.phone, address: info.billing_address }) } }
      : {}),
    ...(shipping
      ? { shipping: { name: given({ full_name: shipping.recipient_name }), address: withoutName(shipping) } }
      : {}),
  }
}

function withoutName({ recipient_name: _, ...address }: Record<string, string>): Record<string, string> {
  return address
}

/** What is there of it: an absent member is no member. */
function given<Value extends object>(members: Value): { [Key in keyof Value]?: NonNullable<Value[Key]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    // The filter has taken out nothing but what is undefined.
    [Key in keyof Value]?: NonNullable<Value[Key]>
  }
}
