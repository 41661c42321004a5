import type { z } from 'zod'
import { addToCartInput, idIn, piecesIn } from '#contract/cart/messages.ts'
import { urls } from '#contract/shared/urls.ts'
import { type AddRequest, addToCart } from '#shop/cart/add-to-cart.ts'
import { fragmentsAnswer } from '../../cart/fragments.tsx'
import type { Visit } from '../../http/visit.ts'
import { addedNotice, refusalNotice } from '../../notices/cart-notices.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `add_to_cart`: the button of a listing. A refusal is explained on the product's page. */
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
    const request = requestOf(visit, input)
    if (!request) return new Response('', { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
    const { tools } = visit.app
    const result = await addToCart(tools, await visit.session(), request)
    if (!result.ok) {
      await visit.addNotice(...refusalNotice(await visit.app.shop(), result))
      const product_url = tools.publicUrl + visit.path(result.slug ? urls.product(result.slug) : urls.shop())
      return Response.json({ error: true, product_url })
    }
    visit.adopt(result.session)
    if (tools.settings.redirectAfterAdd) {
      await visit.addNotice(addedNotice(await visit.app.shop(), [result.added], true))
    }
    return fragmentsAnswer(visit, result.products)
  },
})

/** Null when no product is named. */
function requestOf(visit: Visit, input: z.output<typeof addToCartInput>): AddRequest | null {
  const productId = idIn(input.product_id)
  if (productId === null) return null
  const press = visit.request.headers.get('idempotency-key')
  return { productId, variationId: null, quantity: piecesIn(input.quantity), attributes: {}, press }
}
