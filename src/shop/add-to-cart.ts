import { type CartProduct, productsForCart } from '#database/catalog/cart-products.ts'
import { matchingVariation } from '#database/catalog/product-page.ts'
import { type AddDecision, type AddedProduct, addCheck, type AddRefusal as Reason } from '#domain/cart/add-check.ts'
import { lineKey } from '#domain/cart/line-key.ts'
import { maxPieces, withLine } from './cart-lines.ts'
import { shortDigest } from './digest.ts'
import { currentPrice } from './quote-cart.ts'
import type { SessionState } from './session-state.ts'
import type { Tools } from './tools.ts'
import { changeSession, type VisitSession } from './visit-session.ts'

export type AddRequest = {
  /** A product, or a variation by its own id. */
  productId: number
  /** Null: none was named; a variable product's is then looked up by the attributes. */
  variationId: number | null
  quantity: number
  /** Attribute slug → posted value. */
  attributes: Readonly<Record<string, string>>
}

/** Why nothing was added. `name` and `slug` are of the product's page, '' when there is none. */
export type AddRefusal = Reason & { name: string; slug: string }

export type AddResult =
  | {
      ok: true
      session: VisitSession
      key: string
      added: { name: string; quantity: number }
      /** What was read of the cart's products on the way. */
      products: ReadonlyMap<number, CartProduct>
    }
  | ({ ok: false } & AddRefusal)

/** Puts something into a visitor's cart, or says by the first failing rule why not. */
export async function addToCart(tools: Tools, session: VisitSession, request: AddRequest): Promise<AddResult> {
  const { product, variation, facts } = await find(tools, session, request)
  const about = { name: product?.name ?? '', slug: product?.status === 'publish' ? product.slug : '' }
  if (request.quantity > maxPieces) return { ok: false, reason: 'nothing-to-add', ...about }

  const productId = product?.id ?? 0
  const variationId = variation?.id ?? null
  const keyOf = (attributes: Readonly<Record<string, string>>) =>
    lineKey({ productId, variationId, attributes: onWire(attributes) }, shortDigest)
  const decide = (state: SessionState): AddDecision =>
    addCheck({
      quantity: request.quantity,
      product: product && asAdded(tools, product),
      variation: variation && asAdded(tools, variation),
      attributes:
        variation?.id === request.productId ? { ...variation.chosen, ...request.attributes } : request.attributes,
      cart: state.lines.map((line) => ({
        key: line.key,
        stockOwner: facts.get(line.variationId ?? line.productId)?.stockOwner ?? null,
        quantity: line.quantity,
      })),
      keyOf,
    })

  // Decided on the cart as it is when it is written: two presses at once cannot both take the last piece.
  const { session: changed, result } = await changeSession<AddDecision>(tools, session, (state) => {
    const decision = decide(state)
    if (!decision.ok) return { state, result: decision }
    const { key, quantity, attributes } = decision
    const line = { key, productId, variationId, quantity, attributes, addedAt: tools.clock.now().getTime() }
    return { state: withLine(state, line), result: decision }
  })
  if (!result.ok) return { ...result, ...about }
  return {
    ok: true,
    session: changed,
    key: result.key,
    added: { name: about.name, quantity: result.quantity },
    products: facts,
  }
}

type Found = { product: CartProduct | null; variation: CartProduct | null; facts: ReadonlyMap<number, CartProduct> }

/** The product and variation that a request means, and the products that are in the cart already. */
async function find({ db, clock }: Tools, session: VisitSession, request: AddRequest): Promise<Found> {
  const inCart = session.state.lines.map(({ productId, variationId }) => variationId ?? productId)
  const wanted = [request.productId, ...(request.variationId === null ? [] : [request.variationId])]
  const read = (ids: readonly number[]) =>
    productsForCart(db.kysely, [...new Set(ids)], clock.now(), { sessionId: session.id })
  const facts = await read([...inCart, ...wanted])
  const named = facts.get(request.productId) ?? null

  if (named?.type === 'variation' && named.parentId !== null) {
    const parent = facts.get(named.parentId) ?? (await read([named.parentId])).get(named.parentId) ?? null
    return { product: parent, variation: named, facts }
  }
  if (named?.type !== 'variable') return { product: named, variation: null, facts }
  if (request.variationId !== null) return { product: named, variation: facts.get(request.variationId) ?? null, facts }
  if (Object.keys(request.attributes).length === 0) return { product: named, variation: null, facts }
  const match = (await matchingVariation(db.sql, named.id, request.attributes))?.variation
  const variation = match ? ((await read([match.id])).get(match.id) ?? null) : null
  return { product: named, variation, facts }
}

function asAdded({ settings, clock }: Tools, product: CartProduct): AddedProduct {
  const price = currentPrice(product, settings.currency, clock.now())
  return { ...product, price: price?.price.minor ?? null }
}

function onWire(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([slug, value]) => [`attribute_${slug}`, value]))
}
