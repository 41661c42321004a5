import { z } from 'zod'
import {
  storeCart,
  storeCartItem,
  storeItemKeyInput,
  storeNoInput,
  storeUpdateItemInput,
} from '#contract/cart/store-cart.ts'
import { maxQuantity } from '#domain/cart/stock.ts'
import { entryName } from '#shop/cart/cart-line-name.ts'
import { maxPieces, withoutLine, withQuantities } from '#shop/cart/cart-lines.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { withoutCoupon } from '#shop/coupons/apply-coupon.ts'
import { type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { productsBefore } from './add-item.ts'

const keyPattern = { key: /^[\w-]{1,100}$/ }

/** `cart` */
export const storeCartCall = storeCall({
  name: 'cart',
  method: 'GET',
  summary: 'Read the cart',
  tag: 'cart',
  about: 'cart',
  input: storeNoInput,
  output: storeCart,
  answer: async ({ cart }) => ({ body: await cart.record() }),
})

/** `cart/update-item` */
export const storeUpdateItemCall = storeCall({
  name: 'cart/update-item',
  method: 'POST',
  summary: 'Change the quantity of a line',
  tag: 'cart',
  about: 'cart',
  input: storeUpdateItemInput,
  output: storeCart,
  async answer(context, { key, quantity }) {
    const products = await changeQuantity(context, key, quantity)
    return { body: await context.cart.record(products) }
  },
})

/** `cart/remove-item` */
export const storeRemoveItemCall = storeCall({
  name: 'cart/remove-item',
  method: 'POST',
  summary: 'Remove a line',
  tag: 'cart',
  about: 'cart',
  input: storeItemKeyInput,
  output: storeCart,
  async answer(context, { key }) {
    const products = await removeItem(context, key)
    return { body: await context.cart.record(products) }
  },
})

/** `cart/items` */
export const storeItemsCall = storeCall({
  name: 'cart/items',
  method: 'GET',
  summary: 'List the lines of the cart',
  tag: 'cart',
  about: 'cart',
  input: storeNoInput,
  output: z.array(storeCartItem),
  answer: async ({ cart }) => ({ body: (await cart.record()).items }),
})

/** `DELETE cart/items` */
export const storeClearItemsCall = storeCall({
  name: 'cart/items',
  method: 'DELETE',
  summary: 'Empty the cart',
  tag: 'cart',
  about: 'cart',
  input: storeNoInput,
  output: z.array(storeCartItem),
  async answer({ visit }) {
    await visit.change((state) => {
      const empty = state.lines.reduce((next, { key }) => withoutLine(next, key), state)
      return { state: state.coupons.reduce(withoutCoupon, empty), result: undefined }
    }, 'S2')
    return { body: [] }
  },
})

/** `cart/items/<key>` */
export const storeItemCall = storeCall({
  name: 'cart/items/:key',
  members: keyPattern,
  method: 'GET',
  summary: 'Read a line',
  tag: 'cart',
  about: 'cart',
  input: storeItemKeyInput,
  output: storeCartItem,
  async answer({ cart }, { key }) {
    const item = (await cart.record()).items.find((one) => one.key === key)
    if (!item) throw invalidKey()
    return { body: item }
  },
})

/** `PUT cart/items/<key>` */
export const storeUpdateItemByKeyCall = storeCall({
  name: 'cart/items/:key',
  members: keyPattern,
  method: 'PUT',
  alsoMethods: ['POST', 'PATCH'],
  summary: 'Change the quantity of a line by its address',
  tag: 'cart',
  about: 'cart',
  input: storeUpdateItemInput,
  output: storeCartItem,
  async answer(context, { key, quantity }) {
    const products = await changeQuantity(context, key, quantity)
    const item = (await context.cart.record(products)).items.find((one) => one.key === key)
    if (!item) throw invalidKey()
    return { body: item }
  },
})

/** `DELETE cart/items/<key>` */
export const storeRemoveItemByKeyCall = storeCall({
  name: 'cart/items/:key',
  members: keyPattern,
  method: 'DELETE',
  summary: 'Remove a line by its address',
  tag: 'cart',
  about: 'cart',
  input: storeItemKeyInput,
  output: z.array(storeCartItem),
  async answer(context, { key }) {
    await removeItem(context, key)
    return { body: (await context.cart.record()).items }
  },
})

const invalidKey = () =>
  new StoreError(409, 'woocommerce_rest_cart_invalid_key', 'Cart item no longer exists or is invalid.')

async function removeItem(context: StoreContext, key: string) {
  const products = await productsBefore(context)
  const removed = await context.visit.change((state) => {
    const next = withoutLine(state, key)
    return { state: next, result: next !== state }
  }, 'S2')
  if (!removed) throw invalidKey()
  return products
}

/** @throws StoreError for an unknown key, and a quantity that the shop cannot serve */
async function changeQuantity(context: StoreContext, key: string, quantity: number) {
  const cart = await context.cart.evaluated()
  await requireAvailable(context, cart, key, quantity)
  await context.visit.change(
    (state) => ({ state: withQuantities(state, new Map([[key, quantity]])), result: undefined }),
    'S2',
  )
  return cart.products
}

async function requireAvailable(
  { visit }: StoreContext,
  { entries }: EvaluatedCart,
  key: string,
  quantity: number,
): Promise<void> {
  const entry = entries.find(({ line }) => line.key === key)
  if (!entry) throw invalidKey()
  const { t } = await visit.app.shop()
  const name = entryName(entry)
  const limit = maxQuantity(entry.product)
  if (entry.product.soldIndividually && quantity > 1) {
    const text = t('You can only have 1 %s in your cart.', name)
    throw new StoreError(400, 'woocommerce_rest_product_too_many_in_cart', text)
  }
  if (limit !== null && quantity > limit) {
    const text = t('Sorry, we have only %s of “%s” in stock.', limit, name)
    const code = limit === 0 ? 'out_of_stock' : 'partially_out_of_stock'
    throw new StoreError(400, `woocommerce_rest_product_${code}`, text)
  }
  if (quantity > maxPieces) {
    const text = t('You can have at most %s of “%s” in your cart.', maxPieces, name)
    throw new StoreError(400, 'woocommerce_rest_product_too_many_in_cart', text)
  }
}
