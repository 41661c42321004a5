import { storeAddItemInput, storeCart, storeCartItem } from '#contract/cart/store-cart.ts'
import { type AddResult, addToCart } from '#shop/cart/add-to-cart.ts'
import { cartProducts } from '#shop/cart/quote-cart.ts'
import { refusalNotice } from '../../../notices/cart-notices.tsx'
import { type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { attributesOf } from './posted-attributes.ts'

type AddInput = (typeof storeAddItemInput)['_output']

/** `cart/add-item` */
export const storeAddItemCall = storeCall({
  name: 'cart/add-item',
  method: 'POST',
  summary: 'Add a product to the cart',
  tag: 'cart',
  about: 'cart',
  input: storeAddItemInput,
  output: storeCart,
  status: 201,
  async answer(context, input) {
    const { products } = await addItem(context, input)
    return { status: 201, body: await context.cart.record(products) }
  },
})

/** `POST cart/items`: the same, answered with the line. */
export const storeCreateItemCall = storeCall({
  name: 'cart/items',
  method: 'POST',
  summary: 'Add a product to the cart as a line',
  tag: 'cart',
  about: 'cart',
  input: storeAddItemInput,
  output: storeCartItem,
  status: 201,
  async answer(context, input) {
    const { key, products } = await addItem(context, input)
    const { items } = await context.cart.record(products)
    return { status: 201, body: items.find((item) => item.key === key) }
  },
})

async function addItem({ visit, tools }: StoreContext, { id, quantity, variation }: AddInput) {
  const session = await visit.session()
  const attributes = await attributesOf(tools, session, id, variation)
  const press = visit.request.headers.get('idempotency-key')
  const result = await addToCart(tools, session, { productId: id, variationId: null, quantity, attributes, press })
  if (!result.ok) throw await refusal({ visit }, result, quantity)
  visit.adopt(result.session)
  return result
}

const codes = {
  'nothing-to-add': ['woocommerce_rest_cart_invalid_product', 404],
  'choose-options': ['woocommerce_rest_missing_attributes', 400],
  'missing-options': ['woocommerce_rest_missing_attributes', 400],
  'invalid-option': ['woocommerce_rest_invalid_variation_data', 400],
  'not-a-variation': ['woocommerce_rest_variation_id_from_variation_data', 400],
  'only-one': ['woocommerce_rest_product_too_many_in_cart', 400],
  'not-purchasable': ['woocommerce_rest_product_not_purchasable', 400],
  'out-of-stock': ['woocommerce_rest_product_out_of_stock', 400],
  'not-enough-stock': ['woocommerce_rest_product_partially_out_of_stock', 400],
  'not-enough-with-cart': ['woocommerce_rest_product_partially_out_of_stock', 400],
} as const satisfies Record<(AddResult & { ok: false })['reason'], readonly [string, number]>

async function refusal(
  { visit }: Pick<StoreContext, 'visit'>,
  result: AddResult & { ok: false },
  quantity: number,
): Promise<StoreError> {
  const [code, status] = codes[result.reason]
  if (result.reason !== 'nothing-to-add') {
    const [notice] = refusalNotice(await visit.app.shop(), result)
    return new StoreError(status, code, notice?.html ?? 'This product cannot be added to the cart.')
  }
  if (quantity > 0 && quantity <= 10_000)
    return new StoreError(status, code, 'This product cannot be added to the cart.')
  return new StoreError(400, 'rest_invalid_param', 'Invalid parameter(s): quantity', {
    params: { quantity: 'must be between 1 and 10000' },
  })
}

/** Reads the products of a cart before a change, for the answer after it. */
export const productsBefore = async ({ visit, tools }: StoreContext) => {
  const { id, state } = await visit.session()
  return cartProducts(tools, id, state)
}
