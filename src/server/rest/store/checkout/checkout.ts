import { storeNoInput } from '#contract/cart/store-cart.ts'
import {
  type StoreCheckoutInput,
  storeCheckout,
  storeCheckoutInput,
  storeUpdateCheckoutInput,
} from '#contract/checkout/store-checkout.ts'
import { isProviderMethod } from '#contract/payments/constants.ts'
import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import { followDraftOrder, saveDraftOrder } from '#shop/checkout/draft-order.ts'
import { approvedIn, parseCheckout } from '#shop/checkout/parse-checkout.ts'
import { submitCheckout } from '#shop/checkout/submit-checkout.ts'
import { settleCart } from '../../../cart/settle-cart.ts'
import { orderReceivedUrl } from '../../../checkout/checkout-answer.tsx'
import { shopperOf } from '../../../checkout/shopper-facts.ts'
import { saveAddresses } from '../customers/update-customer.ts'
import { type StoreAnswer, type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { checkoutFields, isInPage } from './checkout-fields.ts'
import { checkoutRecord } from './checkout-record.ts'
import { checkoutResultAnswer } from './checkout-result.ts'

/** `GET checkout`: the draft of the cart's order, which it creates. */
export const storeCheckoutCall = storeCall({
  name: 'checkout',
  method: 'GET',
  summary: 'Read the draft of the order, created for the current cart',
  tag: 'checkout',
  about: 'cart',
  load: 'checkout',
  input: storeNoInput,
  output: storeCheckout,
  async answer(context) {
    return { body: checkoutRecord(await draftOf(context), noResult) }
  },
})

/** `PUT checkout` */
export const storeUpdateCheckoutCall = storeCall({
  name: 'checkout',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  summary: 'Change the draft of the order',
  tag: 'checkout',
  about: 'cart',
  load: 'checkout',
  input: storeUpdateCheckoutInput,
  output: storeCheckout,
  async answer(context, input) {
    const { visit, cart } = context
    await requireCart(context)
    await saveAddresses(context, input)
    const { customer_note: note, payment_method: method } = input
    if (method) await requireMethod(context, method)
    await visit.change((state) => {
      const next = {
        ...state,
        customerNote: note ?? state.customerNote,
        paymentMethod: method || state.paymentMethod,
      }
      return { state: JSON.stringify(next) === JSON.stringify(state) ? state : next, result: undefined }
    }, 'S4')
    await cart.evaluated()
    return { body: checkoutRecord(await draftOf(context), noResult) }
  },
})

/** `POST checkout`: places the order and pays it. A repeat answers with the same order. */
export const storePlaceOrderCall = storeCall({
  name: 'checkout',
  method: 'POST',
  summary: 'Place the order and pay it',
  tag: 'checkout',
  about: 'cart',
  load: 'checkout',
  input: storeCheckoutInput,
  output: storeCheckout,
  async answer(context, input) {
    const repeated = await repeatedOrder(context, input)
    if (repeated) return repeated
    await requireCart(context)
    await saveAddresses(context, input)
    return place(context, input)
  },
})

const noResult = { payment_status: '', payment_details: [], redirect_url: '' } as const satisfies Parameters<
  typeof checkoutRecord
>[1]

async function requireCart({ visit }: StoreContext): Promise<void> {
  if ((await visit.session()).state.lines.length > 0) return
  const message = 'Cannot create an order: the cart is empty.'
  throw new StoreError(400, 'woocommerce_rest_cart_empty', message)
}

async function requireMethod({ cart }: StoreContext, method: string): Promise<void> {
  const { methods } = await cart.evaluated()
  if (methods.some(({ id }) => id === method)) return
  const message = 'The payment method is not available for this cart.'
  throw new StoreError(400, 'woocommerce_rest_checkout_payment_method_disabled', message)
}

async function draftOf(context: StoreContext): Promise<OrderRow> {
  await requireCart(context)
  const { visit, tools, cart } = context
  return saveDraftOrder(tools, await visit.session(), await cart.evaluated(), await shopperOf(visit, {}))
}

/** Submits the checkout through its stages, with the cart brought in line with the shop first. */
async function place(context: StoreContext, input: StoreCheckoutInput): Promise<StoreAnswer> {
  const { visit, tools } = context
  const fields = checkoutFields(input, (await visit.session()).state)
  const form = parseCheckout(tools, fields)
  await requireChosenMethod(context, form.paymentMethod)
  const hasEmail = !form.addressFaults.billing.some((one) => one.code === 'address' && one.fault.field === 'email')
  const { fine, looked } = await settleCart(visit, hasEmail ? form.billing.email : null)
  if (!fine) {
    const text = (await visit.takeOwnNotices()).map(({ html }) => html).join(' ')
    throw new StoreError(409, 'woocommerce_rest_cart_invalid', text)
  }
  // Notices about changed prices belong to pages; the answer has the current figures.
  await visit.takeOwnNotices()
  const session = await visit.session()
  const shopper = await shopperOf(visit, fields)
  if (looked) await followDraftOrder(tools, session, looked.cart, shopper)
  const approvedId = approvedIn(fields)
  const wish = {
    approvedId,
    start: isProviderMethod(form.paymentMethod) && !approvedId,
    inPage: isInPage(input.payment_data),
  }
  const result = await submitCheckout(tools, { session, form, shopper, wish, looked })
  visit.adopt(result.session)
  return checkoutResultAnswer(context, result)
}

/** A cart with an amount due needs the name of a payment method; the stages check whether it is offered. */
async function requireChosenMethod({ cart }: StoreContext, method: string): Promise<void> {
  if (method !== '' || (await cart.evaluated()).totals.total.minor === 0) return
  throw new StoreError(400, 'woocommerce_rest_checkout_missing_payment_method', 'No payment method provided.')
}

/** How long a repeated request finds the order that emptied its cart. */
const repeatedWithinMs = 10 * 60 * 1000

/**
 * Returns the answer of the request that this one repeats: the cart is empty, because its order was placed a moment ago
 * for the same email address and payment method.
 */
async function repeatedOrder({ visit, tools }: StoreContext, input: StoreCheckoutInput): Promise<StoreAnswer | null> {
  const { state } = await visit.session()
  const last = state.ownOrders.at(-1)
  if (state.lines.length > 0 || last === undefined) return null
  const order = await findOrder(tools.db.kysely, last)
  if (!order || !(takesStock(order.status) || customerHasPaid(order.payment_state))) return null
  const isRecent = visit.now.getTime() - order.updated_at.getTime() < repeatedWithinMs
  const isSame =
    (input.payment_method ?? order.payment_method) === order.payment_method &&
    (input.billing_address?.email ?? order.billing.email) === order.billing.email
  if (!isRecent || !isSame) return null
  const redirect = new URL(orderReceivedUrl(visit, order), tools.publicUrl).href
  return {
    body: checkoutRecord(order, { payment_status: 'success', payment_details: [], redirect_url: redirect }),
  }
}
