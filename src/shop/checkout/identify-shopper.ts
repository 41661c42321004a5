import { isProviderMethod, newMethod, walletMethodId } from '#contract/payments/constants.ts'
import { payerOf, paymentSource } from '../payments/operation/payment-source.ts'
import { startSavingMethod } from '../payments/vault/create-setup-token.ts'
import { savedMethodForOrder } from '../payments/vault/save-method-without-payment.ts'
import type { Tools } from '../shared/tools.ts'
import { opensAccount } from './checkout-account.ts'
import type { CheckoutOutcome, Ended, EvaluatedCheckout, IdentifiedCheckout } from './checkout-stages.ts'
import { openAccount } from './open-account.ts'

/**
 * Stage 3, identify: whose order it is, and which of the payer's sources pays. Opens the account that the form asks
 * for, finds the payment method to save where nothing is due, and the payment source. Ends where an account cannot be
 * opened, or where the shopper must first approve a payment method at PayPal. Express skips it: the wallet names the
 * shopper. The desk would name the customer itself.
 */
export async function identifyShopper(tools: Tools, evaluated: EvaluatedCheckout): Promise<IdentifiedCheckout | Ended> {
  const { form, cart, account, approved, savesMethod, shopper } = evaluated
  const ended = (outcome: CheckoutOutcome): Ended => ({ kind: 'ended', session: evaluated.session, outcome })
  const methodToSave = savesMethod ? await savedMethodForOrder(tools, evaluated.session, form) : null
  if (savesMethod && !methodToSave) return ended(await startSaving(tools, evaluated))
  // Without order lines no account is opened.
  const opens = cart.quote.lines.length > 0 && opensAccount(account, form.account)
  const opened = opens ? await openAccount(tools, evaluated.session, form, shopper) : null
  if (opened?.ok === false) {
    if (opened.reason === 'too-many') return ended({ ok: false, reason: 'too-many', waitMs: opened.waitMs })
    return ended({ ok: false, reason: 'form', faults: [opened.fault] })
  }
  const session = opened?.session ?? evaluated.session
  const source = isProviderMethod(form.paymentMethod)
    ? await paymentSource(tools, form.paymentMethod, form.payment, payerOf(session))
    : null
  // Opening an account moves the visitor's wallet orders to another session: then ownership is read again.
  const approvedOrderId = opened ? null : (approved?.id ?? null)
  return { ...evaluated, kind: 'identified', session, methodToSave, source, approvedOrderId }
}

/** Redirects a shopper without scripts to approve a payment method; all others approve it on the page. */
async function startSaving(
  tools: Tools,
  { session, form, shopper, wish }: EvaluatedCheckout,
): Promise<CheckoutOutcome> {
  const { paymentMethod: method, payment } = form
  const refused: CheckoutOutcome = { ok: false, reason: 'form', faults: [{ code: 'keep-method' }] }
  const isWrong = payment.paymentToken !== '' || !['', newMethod].includes(payment.kept)
  if (!wish.start || isWrong || method !== walletMethodId) return refused
  const started = await startSavingMethod(tools, session, { method, context: 'checkout', ip: shopper.customerIp })
  if (started.ok) return started.approveUrl === '' ? refused : { ok: false, reason: 'keep', url: started.approveUrl }
  if (started.reason === 'too-many') return { ok: false, reason: 'too-many', waitMs: started.waitMs }
  return { ok: false, reason: 'payment', problem: started.reason, order: null }
}
