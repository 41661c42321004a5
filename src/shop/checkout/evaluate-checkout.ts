import { newMethod, walletMethodId } from '#contract/payments/constants.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { approvedFrozenOrder } from '../orders/frozen-order.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import { orderOfOwnWallet } from '../payments/wallet/order-of-own-wallet.ts'
import type { Tools } from '../shared/tools.ts'
import { accountNeeded, accountOffer } from './checkout-account.ts'
import type { CheckoutForm } from './checkout-form.ts'
import type { CheckoutRequest, Ended, EvaluatedCheckout } from './checkout-stages.ts'
import { formFaults } from './form-faults.ts'
import { evaluateForBatch } from './order-fast-path.ts'
import { orderOfIntention } from './order-of-intention.ts'
import { saveCheckoutForm } from './save-checkout-form.ts'

/**
 * Stage 2, evaluate: a form and its session to the evaluated cart and the amount due. Ends with the form's faults, with
 * a total that the form did not show, or with the order that this press has paid or placed already. The wc-ajax call
 * and the form post without scripts enter here, and the Store API with its cart's session. Express
 * evaluates a cart whose address the wallet names, and enters at place.
 */
export async function evaluateCheckout(tools: Tools, request: CheckoutRequest): Promise<EvaluatedCheckout | Ended> {
  const batched = await evaluateForBatch(tools, request)
  if (batched) return batched
  const { form, wish } = request
  const { session, cart } = await saveCheckoutForm(tools, request.session, form, request.looked)
  const savesMethod = needsSetupToken(cart)
  const account = savesMethod ? accountNeeded(accountOffer(tools, session)) : accountOffer(tools, session)
  const faults = await formFaults(tools, form, cart, account)
  const ended = (outcome: Ended['outcome']): Ended => ({ kind: 'ended', session, outcome })
  // An order that is paid or accepted already needs no validation: its first response was lost or is on its way.
  const approved = wish.approvedId ? await orderOfOwnWallet(tools, session, wish.approvedId) : null
  const paid = approved && customerHasPaid(approved.payment_state) ? approved : null
  const done = wish.approvedId ? paid : await orderOfIntention(tools, session, form.intention)
  if (done) return ended({ ok: true, kind: 'done', order: done })
  if (faults.length > 0) return ended({ ok: false, reason: 'form', faults })
  const frozen = await approvedFrozenOrder(tools, session, { approved, quote: cart.quote, form })
  const due = frozen?.total ?? cart.totals.total.minor
  if (isOtherTotal(form, cart, due)) return ended({ ok: false, reason: 'total-changed', total: cart.totals.total })
  return { ...request, kind: 'evaluated', session, cart, account, approved, frozen, due, savesMethod, unsaved: null }
}

/** Reports whether the shopper agreed to another amount or currency than the order's. */
function isOtherTotal(form: CheckoutForm, cart: EvaluatedCart, due: number): boolean {
  // A currency other than the form's is never charged, not even by wallet: another tab has changed it.
  if (form.seenCurrency !== null && form.seenCurrency !== cart.totals.currency) return true
  // The wallet shows its own total before the approval; all other methods charge the form's total.
  const { kept: chosen, paymentToken, billingToken } = form.payment
  const inWindow = (chosen === '' || chosen === newMethod) && paymentToken === '' && billingToken === ''
  const walletShowsTotal = form.paymentMethod === walletMethodId && inWindow && cart.totals.total.minor > 0
  return !walletShowsTotal && form.seenTotal !== null && form.seenTotal !== due
}
