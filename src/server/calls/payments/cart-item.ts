import { attributesIn } from '#contract/cart/messages.ts'
import { cartItemInput } from '#contract/payments/cart-item.ts'
import { paymentErrorCodes } from '#contract/payments/constants.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { addToCart } from '#shop/cart/add-to-cart.ts'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { noticesHtml } from '../../checkout/checkout-answer.tsx'
import { refusalNotice } from '../../notices/cart-notices.tsx'
import { currencyRefusal, openExpress } from '../../payments/wallet-answer.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST cart/item`: adds the product page's choice to the cart and opens a wallet order for the cart. */
export const cartItemCall = defineCall({
  name: 'cart/item',
  door: 'rest',
  method: 'POST',
  input: cartItemInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'each-counts',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, input) {
    const { tools } = visit.app
    const refused = await currencyRefusal(visit, input.seen_currency)
    if (refused) return refused
    const result = await addToCart(tools, await visit.session(), {
      productId: input.product_id,
      variationId: input.variation_id || null,
      quantity: Math.trunc(input.qty),
      attributes: attributesIn(input.variation),
      press: visit.request.headers.get('idempotency-key'),
    })
    if (!result.ok) {
      const shop = await visit.app.shop()
      const messages = await noticesHtml(visit, refusalNotice(shop, result))
      const message = shop.t('This product could not be added to your cart.')
      return Response.json({ code: paymentErrorCodes.addToCart, message, data: { status: 400, messages } })
    }
    visit.adopt(result.session)
    const opened = await openExpress(visit, input)
    const { cart, facts } = await currentCart(visit)
    setCartCookies(visit, facts)
    if (opened instanceof Response) return opened
    return Response.json({
      order_id: opened.walletOrderId,
      cart_item_key: result.key,
      cart: {
        total: decimalString(cart.totals.total),
        currency: cart.totals.currency,
        needsShipping: cart.needsShipping,
      },
    })
  },
})
