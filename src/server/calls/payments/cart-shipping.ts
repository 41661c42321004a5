import { cartShippingInput } from '#contract/payments/cart-shipping.ts'
import { paymentErrorCodes } from '#contract/payments/constants.ts'
import { message } from '#domain/translation/message.ts'
import { sendWalletShipping } from '#shop/payments/wallet/update-wallet-shipping.ts'
import { type WalletShippingResult, walletPlace } from '#shop/payments/wallet/wallet-shipping.ts'
import { runSerially } from '#shop/shared/serial-queue.ts'
import { paymentRefusal } from '../../payments/wallet-answer.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST cart/shipping`: applies another address or shipping option of the wallet's window, and updates PayPal. */
export const cartShippingCall = defineCall({
  name: 'cart/shipping',
  door: 'rest',
  method: 'POST',
  input: cartShippingInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { order_id: walletOrderId, address, shipping_method: method }) {
    const { tools } = visit.app
    const session = await visit.session()
    // A buyer may send the next change before the last is calculated: the last one counts.
    const result = await runSerially(tools.serialQueues, `wallet-shipping:${walletOrderId}`, () =>
      sendWalletShipping(tools, session, walletOrderId, {
        place: address?.country
          ? walletPlace({ ...address, postal_code: address.postcode, country_code: address.country })
          : null,
        option: typeof method === 'string' ? method : optionIn(method),
      }),
    )
    if (result.ok) return Response.json({ success: true, order_id: walletOrderId })
    const { t } = await visit.app.shop()
    return paymentRefusal(paymentErrorCodes.shipping, t(refusals[result.reason]), {}, 404)
  },
})

const refusals: Readonly<Record<(WalletShippingResult & { ok: false })['reason'], string>> = {
  country: message('We do not ship to that country.'),
  address: message('We do not ship to that address.'),
  method: message('That shipping method is not available for this address.'),
  unavailable: message('An item in your cart is no longer available.'),
  closed: message('This order can no longer be changed. Please close the window and try again.'),
  unreachable: message('PayPal could not be reached, so nothing was changed. Please choose again in a moment.'),
}

/** Returns the option of the classic form: a map from package to rate. */
function optionIn(method: Readonly<Record<string, string>> | undefined): string | null {
  const [index, rate] = Object.entries(method ?? {})[0] ?? []
  return index !== undefined && rate ? `${index}:${rate}` : null
}
