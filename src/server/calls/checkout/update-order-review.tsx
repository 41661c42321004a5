import { type UpdateOrderReviewInput, updateOrderReviewInput } from '#contract/checkout/update-order-review.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import { formatPostcode } from '#domain/addresses/postcode.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { parseCheckout } from '#shop/checkout/parse-checkout.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { withChosenShipping } from '#shop/shipping/choose-shipping.ts'
import { currentCart } from '../../cart/fragments.tsx'
import { settleCart } from '../../cart/settle-cart.ts'
import { checkoutFragments, noticesHtml } from '../../checkout/checkout-answer.tsx'
import { parseForm } from '../../http/request/request-body.ts'
import { expiredNotice } from '../../notices/cart-notices.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `update_order_review`: returns totals and methods for the current state of the form. */
export const updateOrderReviewCall = defineCall({
  name: 'update_order_review',
  door: 'wc-ajax',
  method: 'POST',
  input: updateOrderReviewInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { nonce: 'update-order-review', field: 'security' },
  async answer(visit, input) {
    const { t } = await visit.app.shop()
    if ((await visit.session()).state.lines.length === 0) {
      const html = await noticesHtml(visit, [expiredNotice(t)])
      return Response.json({ fragments: { 'form.woocommerce-checkout': html } })
    }
    const posted = parseCheckout(visit.app.tools, parseForm(new URLSearchParams(input.post_data)))
    await visit.change((state) => {
      const next = withPlaces(
        input.post_data === ''
          ? state
          : { ...state, customerNote: posted.customerNote, shipToDifferent: posted.shipToDifferent },
        input,
        input.post_data === '' ? null : posted,
      )
      return { state: JSON.stringify(next) === JSON.stringify(state) ? state : next, result: undefined }
    }, 'S4')
    const { cart } = await currentCart(visit)
    await visit.change((state) => ({
      state: withChosenShipping(state, input.shipping_method, cart.packages),
      result: undefined,
    }))
    // Notices are kept for the next page.
    if (input.leaving) return Response.json({ result: 'success', messages: '', reload: false, fragments: {} })
    await settleCart(visit)
    const notices = await visit.takeOwnNotices()
    const messages = notices.length > 0 ? await noticesHtml(visit, notices) : ''
    return Response.json({
      result: messages === '' ? 'success' : 'failure',
      messages,
      reload: false,
      fragments: await checkoutFragments(visit),
    })
  },
})

type Posted = ReturnType<typeof parseCheckout>

function withPlaces(state: SessionState, input: UpdateOrderReviewInput, posted: Posted | null): SessionState {
  const billing = place(input.country, input.state, input.postcode, input.city, input.address, input.address_2)
  const shipping = place(
    input.s_country,
    input.s_state,
    input.s_postcode,
    input.s_city,
    input.s_address,
    input.s_address_2,
  )
  const kept = { ...state.shipping, ...shipping }
  const moved = (['country', 'state', 'postcode', 'city'] as const).some((key) => kept[key] !== state.shipping[key])
  return {
    ...state,
    // Other fields (name, phone, email) are saved too, so that a reload loses nothing.
    billing: { ...state.billing, ...(posted?.billing ?? {}), ...billing },
    shipping: { ...state.shipping, ...(posted?.shipToDifferent ? posted.shipping : {}), ...shipping },
    paymentMethod: input.payment_method || state.paymentMethod,
    calculatedShipping: input.has_full_address === 'true',
    // An approval is valid only for its address.
    newAccount: posted ? { wanted: posted.account.wanted, username: posted.account.username } : state.newAccount,
    approvedWallet: moved ? null : state.approvedWallet,
  }
}

function place(country: string, state: string, postcode: string, city: string, address_1: string, address_2: string) {
  const code = country.trim().toUpperCase().slice(0, 2)
  return {
    country: code,
    state: stateCode(code, state.trim()) ?? '',
    postcode: formatPostcode(postcode.slice(0, 20), code),
    city: plainLine(city),
    address_1: plainLine(address_1),
    address_2: plainLine(address_2),
  }
}
