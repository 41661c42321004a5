import { attributesIn, getVariationInput, idIn } from '#contract/cart/messages.ts'
import { productsForCart } from '#database/cart/cart-products.ts'
import { readProduct, readVariation } from '#shop/catalog/read-product.ts'
import { variationObject } from '#web/parts/catalog/variation-object.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `get_variation`: returns the variation of a choice, or false; used if there are too many to print. */
export const getVariationCall = defineCall({
  name: 'get_variation',
  door: 'wc-ajax',
  method: 'POST',
  // It changes nothing, and the classic shop accepts any method.
  alsoMethods: ['GET'],
  input: getVariationInput,
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'anonymous-page',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  async answer(visit, input) {
    const id = idIn(input.product_id)
    const { tools } = visit.app
    const known = id === null ? undefined : (await productsForCart(tools.db, [id], visit.now)).get(id)
    const product = known?.status === 'publish' ? await readProduct(tools, known.slug) : null
    if (!product || id === null) return new Response('', { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
    const variation = await readVariation(tools, id, attributesIn(input))
    return Response.json(variation ? variationObject(await visit.app.shop(), product, variation) : false)
  },
})
