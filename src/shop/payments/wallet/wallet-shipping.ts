import { walletMethodId } from '#contract/payments/constants.ts'
import type { ProviderAddress } from '#contract/paypal/order.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { findCurrentWalletOrder } from '#database/payments/wallet-orders.ts'
import { isFilled } from '#domain/addresses/address-fields.ts'
import { formatPostcode } from '#domain/addresses/postcode.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import { splitOption } from '#domain/shipping/shipping-rates.ts'
import type { ShippingOption } from '#paypal/wallet-order-body.ts'
import { shipsTo } from '../../addresses/allowed-countries.ts'
import type { EvaluatedCart } from '../../cart/evaluated-cart.ts'
import { quoteCart } from '../../cart/quote-cart.ts'
import { placeOrder } from '../../checkout/place-order.ts'
import type { AddressState, SessionState } from '../../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { withChosenShipping } from '../../shipping/choose-shipping.ts'
import { orderOfOwnWallet } from './order-of-own-wallet.ts'

/** The buyer's choice in the wallet's window. */
export type WalletShipping = {
  /** Without name and street, as the wallet provides it before approval. */
  readonly place: Pick<AddressState, 'country' | 'state' | 'city' | 'postcode'> | null
  /** `0:flat_rate:3`: package, then rate. */
  readonly option: string | null
}

export type WalletShippingResult =
  | { ok: true; order: OrderRow; options: readonly ShippingOption[] }
  | {
      ok: false
      reason: /** The shop does not ship to that country. */
        | 'country'
        /** No shipping method serves that address. */
        | 'address'
        /** That shipping option is not available. */
        | 'method'
        /** A product in the cart is not available any more. */
        | 'unavailable'
        /** The order is paid, in payment, cancelled, or another visitor's: it cannot change any more. */
        | 'closed'
        /** PayPal's state of the order is unknown: nothing changes. */
        | 'unreachable'
    }

/** State of the buyer's approval of the wallet's figures. */
export type Agreement = 'no' | 'yes' | 'unknown'

/**
 * Recalculates an order for the buyer's choice in the wallet's window, and stores the new figures. Before the approval
 * the address stays on the order; a chosen shipping option is kept in the session. The caller sends the figures to
 * PayPal.
 * @param agreement reads whether the buyer has approved already, where PayPal does not call itself
 */
export async function applyWalletShipping(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
  { place, option }: WalletShipping,
  agreement: () => Promise<Agreement> = () => Promise.resolve('no'),
): Promise<WalletShippingResult> {
  const order = await openExpressOrder(tools, session, walletOrderId)
  // The window has one currency, also when the shop's currency changes.
  if (order && order.currency !== tools.settings.currency) return { ok: false, reason: 'closed' }
  const agreed = order ? await agreement() : 'yes'
  if (agreed === 'unknown') return { ok: false, reason: 'unreachable' }
  if (!order || agreed === 'yes') return { ok: false, reason: 'closed' }
  const before = await quoteCart(tools, session.id, withPlace(session.state, place))
  if (place && place.country !== '' && !shipsTo(tools.settings, place.country)) return { ok: false, reason: 'country' }
  const chosen = chosenIn(before, option)
  if (chosen === 'unknown') return { ok: false, reason: 'method' }

  const choice = (state: SessionState) => ({
    state: withChosenShipping(state, chosen, before.packages),
    result: undefined,
  })
  const { session: kept } = await changeSession(tools, session, choice, 'S8 choice')
  const state = withPlace(kept.state, place)
  const cart = await quoteCart(tools, kept.id, state)
  const unshipped = cart.packages.length === 0 || cart.packages.some((one) => one.chosen === null)
  if (cart.needsShipping && unshipped) {
    // An incomplete address has no shipping costs yet. Many wallet addresses have no state.
    const complete = place !== null && place.country !== '' && (place.city !== '' || place.postcode !== '')
    return complete ? { ok: false, reason: 'address' } : { ok: true, order, options: [] }
  }
  const placed = await placeOrder(tools, {
    sessionId: kept.id,
    customerId: kept.customerId,
    intention: order.intention,
    quote: cart.quote,
    billing: state.billing,
    shipping: state.shipping,
    customerNote: state.customerNote,
    paymentMethod: { id: walletMethodId, title: 'PayPal' },
    createdVia: 'wallet',
    customerIp: order.customer_ip,
    customerUserAgent: order.customer_user_agent,
    attribution: null,
    terms: null,
  })
  if (!placed.ok) {
    const gone = placed.reason === 'already-paid' || placed.reason === 'being-paid'
    return { ok: false, reason: gone ? 'closed' : 'unavailable' }
  }
  // The window belongs to a cancelled order that another one replaced.
  if (placed.order.id !== order.id) return { ok: false, reason: 'closed' }
  return { ok: true, order: placed.order, options: shippingOptions(cart) }
}

/** Finds the visitor's unpaid order of an express wallet window, opened before its address was known. */
export async function openExpressOrder(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
): Promise<OrderRow | null> {
  const order = await orderOfOwnWallet(tools, session, walletOrderId)
  if (order?.status !== 'pending' || order.created_via !== 'wallet') return null
  const waiting = order.payment_state === 'none' || order.payment_state === 'pending'
  const newest = waiting ? await findCurrentWalletOrder(tools.db.kysely, order.id) : undefined
  return newest?.id === walletOrderId ? order : null
}

/** Returns the shipping options for the wallet's window, which supports one package only. */
export function shippingOptions({ packages, needsShipping }: EvaluatedCart): ShippingOption[] {
  const [parcel, ...others] = packages
  if (!needsShipping || !parcel?.chosen || others.length > 0) return []
  return parcel.rates.map(({ id, label, cost, method }) => ({
    id: `${parcel.index}:${id}`,
    label,
    cost,
    selected: id === parcel.chosen?.id,
    pickup: method === 'local_pickup',
  }))
}

function chosenIn({ packages }: EvaluatedCart, option: string | null): Record<string, string> | 'unknown' {
  if (!option) return {}
  const { key = '', value = '' } = splitOption(option) ?? {}
  const parcel = packages.find(({ index }) => String(index) === key)
  return parcel?.rates.some(({ id }) => id === value) ? { [key]: value } : 'unknown'
}

/** Returns the session state with that address: the figures must equal those after the approval. */
function withPlace(state: SessionState, place: WalletShipping['place']): SessionState {
  const paid = { ...state, paymentMethod: walletMethodId }
  if (!place || place.country === '') return paid
  const keepsBilling = isFilled(state.billing.address_1) && state.billing.country !== ''
  return {
    ...paid,
    billing: keepsBilling ? state.billing : { ...state.billing, ...place },
    shipping: { ...state.shipping, ...place, address_1: '', address_2: '' },
    shipToDifferent: true,
    calculatedShipping: true,
  }
}

/** Returns an address in the shop's form from any of PayPal's spellings. */
export function walletPlace(address: ProviderAddress | Readonly<Record<string, unknown>>): {
  [Key in 'country' | 'state' | 'city' | 'postcode']: string
} {
  const { country, state, city, postcode } = fromProviderAddress(address)
  return { country, state: stateCode(country, state) ?? state, city, postcode: formatPostcode(postcode, country) }
}
