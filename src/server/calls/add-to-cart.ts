import { addToCartInput, idIn, piecesIn } from '#contract/calls/cart.ts'
import { urls } from '#contract/urls.ts'
import { addToCart } from '#shop/add-to-cart.ts'
import { defineCall } from '../call.ts'
import { addedNotice, refusalNotice } from '../cart-notices.tsx'
import { fragmentsAnswer } from '../fragments.tsx'

/** `add_to_cart`: the button of a listing. What stands in the way is told on the product's page. */
export const addToCartCall = defineCall({
  name: 'add_to_cart',
  door: 'wc-ajax',
  method: 'POST',
  input: addToCartInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'each-counts',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  async answer(visit, input) {
    const productId = idIn(input.product_id)
    if (productId === null) return new Response('', { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
    const { tools } = visit.app
    const quantity = piecesIn(input.quantity)
    const result = await addToCart(tools, await visit.session(), {
      productId,
      variationId: null,
      quantity,
      attributes: {},
      press: visit.request.headers.get('idempotency-key'),
    })
    const shop = await visit.app.shop()
    if (!result.ok) {
      await visit.addNotice(...refusalNotice(shop, result))
      return Response.json({
        error: true,
        product_url: visit.path(result.slug ? urls.product(result.slug) : urls.shop()),
      })
    }
    visit.adopt(result.session)
    if (tools.settings.redirectAfterAdd) await visit.addNotice(addedNotice(shop, [result.added], true))
    return fragmentsAnswer(visit, result.products)
  },
})
