import type { z } from 'zod'
import { addToCartInput, idIn, piecesIn } from '#contract/cart/messages.ts'
import { urls } from '#contract/shared/urls.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import { type AddRequest, type AddResult, addToCart, addToCartFromCache } from '#shop/cart/add-to-cart.ts'
import type { VisitSession } from '#shop/customers/sessions/visit-session.ts'
import { fragmentsAnswer, fragmentsAnswerOf, type RenderedFragments, renderFragments } from '../../cart/fragments.tsx'
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
  async answerFromSessionCache(visit, input, session) {
    const request = requestOf(visit, input)
    if (!request) return null
    const result = await addToCartFromCache(visit.app.tools, session, request, drawing(visit))
    return result?.ok ? added(visit, result) : null
  },
  async answer(visit, input) {
    const request = requestOf(visit, input)
    if (!request) return new Response('', { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
    const result = await addToCart(visit.app.tools, await visit.session(), request, drawing(visit))
    if (result.ok) return added(visit, result)
    await visit.addNotice(...refusalNotice(await visit.app.shop(), result))
    return Response.json({
      error: true,
      product_url: visit.app.tools.publicUrl + visit.path(result.slug ? urls.product(result.slug) : urls.shop()),
    })
  },
})

/** Null when no product is named. */
function requestOf(visit: Visit, input: z.output<typeof addToCartInput>): AddRequest | null {
  const productId = idIn(input.product_id)
  if (productId === null) return null
  const press = visit.request.headers.get('idempotency-key')
  return { productId, variationId: null, quantity: piecesIn(input.quantity), attributes: {}, press }
}

const drawing =
  (visit: Visit) =>
  (session: VisitSession, products: ReadonlyMap<number, CartProduct>): Promise<RenderedFragments> =>
    renderFragments(visit, session, products)

async function added(visit: Visit, result: AddResult<RenderedFragments> & { ok: true }): Promise<Response> {
  visit.adopt(result.session)
  if (visit.app.tools.settings.redirectAfterAdd) {
    await visit.addNotice(addedNotice(await visit.app.shop(), [result.added], true))
  }
  return result.made ? fragmentsAnswerOf(visit, result.made) : fragmentsAnswer(visit, result.products)
}
