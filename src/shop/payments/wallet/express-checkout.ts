import { walletMethodId } from '#contract/payments/constants.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import { findOrderOfWallet, findWalletOrder, setWalletState } from '#database/payments/wallet-orders.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import { isFilled } from '#domain/addresses/address-fields.ts'
import { splitFullName } from '#domain/addresses/full-name.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { sellsTo } from '../../addresses/allowed-countries.ts'
import { quoteCart } from '../../cart/quote-cart.ts'
import { accountOffer, needsAccount } from '../../checkout/checkout-account.ts'
import { intentionOf } from '../../checkout/checkout-idempotency-key.ts'
import type { CheckoutResult, Ended } from '../../checkout/checkout-stages.ts'
import type { Shopper } from '../../checkout/order-request.ts'
import { existingOrder, placeAwaitedOrder } from '../../checkout/place-checkout-order.ts'
import { type PlaceOrderResult, placeOrder } from '../../checkout/place-order.ts'
import { payAndClose } from '../../checkout/submit-checkout.ts'
import { validateCoupons } from '../../coupons/apply-coupon.ts'
import type { AddressState, SessionState } from '../../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { lockDeclineUnlessPaid } from '../operation/lock-decline.ts'
import { isProviderCurrency } from '../operation/payment-methods.ts'
import type { FinishRefusal } from '../operation/payment-result.ts'
import { amendWallet, recordShownTotal } from './amend-wallet-order.ts'
import { type StartResult, startWallet } from './start-wallet.ts'
import { unconfirmedFigures } from './update-wallet-shipping.ts'
import type { WalletPresentation } from './wallet-order.ts'
import { shippingOptions, walletPlace } from './wallet-shipping.ts'

export type ExpressStart = { session: VisitSession } & (
  | { ok: true; walletOrderId: string; approveUrl: string }
  | { ok: false; reason: 'order'; problem: PlaceOrderResult & { ok: false } }
  | { ok: false; reason: 'payment'; problem: (StartResult & { ok: false })['reason']; issue?: string }
)

/**
 * Opens a wallet order for the current cart before the shopper is known: the wallet names them.
 * @param funding the pressed button
 */
export async function startExpress(
  tools: Tools,
  session: VisitSession,
  shopper: Shopper,
  funding: Funding = 'paypal',
): Promise<ExpressStart> {
  // A wallet button charges the wallet's price, whatever method was chosen in the checkout before.
  const cart = await quoteCart(tools, session.id, { ...session.state, paymentMethod: walletMethodId })
  if (cart.totals.total.minor > 0 && !isProviderCurrency(tools, walletMethodId, cart.totals.currency)) {
    return { session, ok: false, reason: 'payment', problem: 'refused', issue: 'CURRENCY_NOT_TAKEN' }
  }
  const { billing, shipping, customerNote } = session.state
  const presentation: WalletPresentation = {
    shippingPreference: cart.needsShipping ? 'GET_FROM_FILE' : 'NO_SHIPPING',
    // Where the address may still change the total, the wallet must not present it as final.
    userAction: cart.needsShipping ? 'CONTINUE' : 'PAY_NOW',
    shippingOptions: shippingOptions(cart),
    source: { kind: 'wallet', funding, keep: false },
    requestShopUpdate: cart.needsShipping && providerAsksShop(tools),
  }
  const wanted = {
    sessionId: session.id,
    customerId: session.customerId,
    intention: intentionOf(session, cart.quote.hash),
    quote: cart.quote,
    billing,
    shipping: shipping.country === '' ? billing : shipping,
    customerNote,
    paymentMethod: { id: walletMethodId, title: 'PayPal' },
    createdVia: 'wallet' as const,
    ...shopper,
  }
  const wallet = cart.totals.total.minor > 0 ? presentation : undefined
  const placed = await placeAwaitedOrder(tools, session, wanted, wallet)
  if (!placed.ok) return { session, ok: false, reason: 'order', problem: placed }
  const started = await startWallet(tools, placed.order.id, presentation, placed.preparedWallet)
  if (started.ok) return { session: placed.session, ...started }
  const issue = 'issue' in started ? { issue: started.issue } : {}
  return { session: placed.session, ok: false, reason: 'payment', problem: started.reason, ...issue }
}

/**
 * Reports whether PayPal's shipping callback is used, which also works where the wallet is an app; otherwise the page
 * asks. PayPal calls public https addresses only.
 */
export function providerAsksShop({ settings, publicUrl }: Pick<Tools, 'settings' | 'publicUrl'>): boolean {
  const { shippingCallback } = settings.paypal
  return shippingCallback === 'auto' ? publicUrl.startsWith('https://') : shippingCallback === 'server'
}

export type ExpressResult =
  | CheckoutResult
  /** The total differs from the wallet's, or no shipping is possible: the shopper reviews the checkout first. */
  | { session: VisitSession; ok: false; reason: 'review'; problem: ReviewReason }

type ReviewReason =
  | 'total-changed'
  | 'currency-changed'
  | 'no-shipping'
  | 'stock'
  /** The shop does not sell to the country of the wallet's owner. */
  | 'not-sold-there'
  /** The wallet has no address for the shipped items. */
  | 'no-address'
  /** The shop requires an account. */
  | 'account'
  /** A coupon is not valid for the wallet's owner, or for the cart by now. */
  | 'coupons'

/**
 * Completes `startExpress` after approval: stores the wallet's address, recalculates the cart, and pays at once if the
 * shopper has seen the same total.
 */
export async function finishExpress(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
  shopper: Shopper,
): Promise<ExpressResult> {
  const result = await finish(tools, session, walletOrderId, shopper)
  const isNo = !result.ok && !(result.reason === 'payment' && ['checking', 'attention'].includes(result.problem))
  const found = isNo ? await findOrderOfWallet(tools.db.kysely, walletOrderId) : null
  if (found?.wallet.session_id !== session.id || (await lockDeclineUnlessPaid(tools, found.order.id, walletOrderId)))
    return result
  return payAndClose(tools, { kind: 'approved', session: result.session, order: found.order })
}

async function finish(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
  shopper: Shopper,
): Promise<ExpressResult> {
  const row = await findWalletOrder(tools.db.kysely, walletOrderId)
  const order = row?.session_id === session.id ? await findOrder(tools.db.kysely, row.order_id) : undefined
  const failed = (problem: FinishRefusal, issue?: string): ExpressResult => ({
    session,
    ok: false,
    reason: 'payment',
    problem,
    order: order ?? null,
    ...(issue ? { issue } : {}),
  })
  if (!row || !order) return failed('unknown-order')
  if (customerHasPaid(order.payment_state)) return payAndClose(tools, doneWith(session, order))
  if (order.status === 'cancelled') return failed('cancelled')
  const read = await tools.paypal?.getOrder(walletOrderId)
  if (!read?.ok)
    return failed(
      read?.kind === 'refused' ? 'not-approved' : 'unreachable',
      read?.kind === 'refused' ? read.issue : undefined,
    )
  if (read.value.status === 'CREATED' || read.value.status === 'PAYER_ACTION_REQUIRED')
    return failed('not-approved', 'ORDER_NOT_APPROVED')

  const byWallet = (state: SessionState) => ({ state: withWallet(state, read.value), result: undefined })
  const kept = await changeSession(tools, session, byWallet, 'S9')
  // Read after the session: if another request has emptied the cart by now, the order is paid by now.
  const meanwhile = await findOrder(tools.db.kysely, order.id)
  if (meanwhile && customerHasPaid(meanwhile.payment_state)) {
    return payAndClose(tools, doneWith(kept.session, meanwhile))
  }
  const cart = await quoteCart(tools, kept.session.id, kept.session.state)
  const review = async (problem: ReviewReason): Promise<ExpressResult> => {
    const standsApproved = ['total-changed', 'no-address', 'account'].includes(problem)
    const { session: next } = await changeSession(tools, kept.session, (state) => ({
      state: { ...state, approvedWallet: standsApproved ? walletOrderId : null },
      result: undefined,
    }))
    return { session: next, ok: false, reason: 'review', problem }
  }
  // The shopper changed the currency while the wallet's window was open: its currency differs from the page's.
  if (order.currency !== cart.totals.currency) return review('currency-changed')
  const { country, email: buyer } = kept.session.state.billing
  if (country !== '' && !sellsTo(tools.settings, country)) return review('not-sold-there')
  const unshipped = cart.packages.length === 0 || cart.packages.some(({ chosen }) => chosen === null)
  if (cart.needsShipping && unshipped) return review('no-shipping')
  if ((await validateCoupons(tools, kept.session, cart, cart.coupons, buyer)).length > 0) return review('coupons')

  const placed = await placeOrder(tools, {
    sessionId: session.id,
    customerId: session.customerId,
    // The wallet's order, whatever total the address results in.
    intention: order.intention,
    quote: cart.quote,
    billing: kept.session.state.billing,
    shipping: kept.session.state.shipping,
    customerNote: kept.session.state.customerNote,
    paymentMethod: { id: walletMethodId, title: 'PayPal' },
    createdVia: 'wallet',
    ...shopper,
    // The terms were shown beside the wallet button, and their acceptance is recorded there.
    terms: null,
  })
  if (!placed.ok) return payAndClose(tools, existingOrder(kept.session, placed))
  if (placed.order.id !== order.id) return failed('cancelled')
  // The buyer approved the total that PayPal shows, not that of the last shipping callback.
  const agreed = read.value.purchase_units?.[0]?.amount
  const shown = (agreed && fromAmount(agreed)?.minor) ?? row.amount
  if (placed.order.total !== shown) {
    // Marked before PayPal is updated: a repeated return must not take the new figures as approved.
    await setWalletState(tools.db.kysely, walletOrderId, { state: unconfirmedFigures })
    await amendWallet(tools, order.id, walletOrderId, { shown })
    return review('total-changed')
  }
  // Read after PayPal: figures that it shows by now were marked before it had them.
  const currentWallet = await findWalletOrder(tools.db.kysely, walletOrderId)
  if (currentWallet?.state === unconfirmedFigures) {
    // The mark stays on every return: only the checkout's button approves unseen figures.
    await recordShownTotal(tools, order.id, walletOrderId, shown)
    return review('total-changed')
  }
  await recordShownTotal(tools, order.id, walletOrderId, shown)
  if (cart.needsShipping && kept.session.state.shipping.address_1 === '') return review('no-address')
  if (needsAccount(accountOffer(tools, kept.session))) return review('account')
  return payAndClose(tools, { kind: 'approved', session: kept.session, order, walletOrderId })
}

function doneWith(session: VisitSession, order: OrderRow): Ended {
  return { kind: 'ended', session, outcome: { ok: true, kind: 'done', order } }
}

/** Returns the session state with the wallet owner's details; valid input of the visitor stays. */
function withWallet(state: SessionState, wallet: WalletOrder): SessionState {
  const unit = wallet.purchase_units?.[0]
  const source = wallet.payment_source?.paypal
  const given = wallet.payer?.name ?? source?.name
  const person = {
    first_name: plainLine(given?.given_name ?? ''),
    last_name: plainLine(given?.surname ?? ''),
    email: cleanEmail(wallet.payer?.email_address ?? source?.email_address ?? ''),
    phone: plainLine(wallet.payer?.phone?.phone_number?.national_number ?? ''),
  }
  const to = unit?.shipping?.address ? placeFrom(unit.shipping.address) : null
  const receiver = unit?.shipping?.name?.full_name
    ? splitFullName(plainLine(unit.shipping.name.full_name), person)
    : person
  const payerAddress = wallet.payer?.address ?? source?.address
  const from = payerAddress?.address_line_1
    ? placeFrom(payerAddress)
    : (to ?? (payerAddress ? placeFrom(payerAddress) : null))
  const billing = filled(state.billing, { ...person, ...(from ?? {}) })
  const paid = { ...state, billing, paymentMethod: walletMethodId }
  if (!to) return paid
  const shipping: AddressState = {
    ...state.shipping,
    ...to,
    first_name: receiver.first_name,
    last_name: receiver.last_name,
  }
  const elsewhere = (['address_1', 'postcode', 'city', 'state', 'country'] as const).some(
    (key) => shipping[key] !== billing[key],
  )
  return { ...paid, shipping, shipToDifferent: elsewhere, calculatedShipping: true }
}

function placeFrom(address: Readonly<Record<string, unknown>>) {
  return { ...fromProviderAddress(address), ...walletPlace(address) }
}

/** Fills empty fields from the wallet; the address is taken as a whole, never in parts of two. */
function filled(before: AddressState, wallet: Partial<AddressState>): AddressState {
  const keepPlace = isFilled(before.address_1) && before.country !== ''
  const place = ['country', 'state', 'city', 'postcode', 'address_1', 'address_2']
  const entries = Object.entries(before).map(([key, value]) => {
    const offered = wallet[key as keyof AddressState] ?? ''
    if (place.includes(key)) return [key, keepPlace ? value : offered || value]
    return [key, isFilled(value) ? value : offered]
  })
  return Object.fromEntries(entries) as AddressState
}
