import { type CartProduct, productsForCart } from '#database/cart/cart-products.ts'
import { matchingVariation } from '#database/catalog/product-page.ts'
import { type AddDecision, type AddedProduct, addCheck, type AddRefusal as Reason } from '#domain/cart/add-check.ts'
import { lineKey } from '#domain/cart/line-key.ts'
import { snapshotOf } from '#domain/cart/line-snapshot.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import { shortDigest } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { localizeFacts, type Say } from '../translation/localize-facts.ts'
import { maxPieces, withLine } from './cart-lines.ts'
import { currentPrice, soldProductId } from './quote-cart.ts'

export type AddRequest = {
  /** Id of a product, or of a variation. */
  productId: number
  /** Null: unspecified; the attributes determine the variation of a variable product. */
  variationId: number | null
  quantity: number
  /** Attribute slug → posted value. */
  attributes: Readonly<Record<string, string>>
  /** Idempotency key of the request: several requests with the same key add once. */
  press?: string | null
}

/** Number of stored idempotency keys per visitor. */
const pressesKept = 20

/** Refusal of an addition. `name` and `slug` identify the product's page, '' when there is none. */
export type AddRefusal = Reason & { name: string; slug: string }

export type AddResult =
  | {
      ok: true
      session: VisitSession
      key: string
      added: { name: string; quantity: number }
      /** Cart products that were read for the addition. */
      products: ReadonlyMap<number, CartProduct>
    }
  | ({ ok: false } & AddRefusal)

/** Adds a product to a visitor's cart, or returns the first refusal. */
export async function addToCart(tools: Tools, session: VisitSession, request: AddRequest): Promise<AddResult> {
  const [result] = (await addAllToCart(tools, session, [request])).results
  if (!result) throw new Error('a request without a result')
  return result
}

/**
 * Adds several products by one read and one write. Each is decided on the cart with the earlier ones, at the time of
 * the write: two concurrent presses cannot both take the last piece.
 * @returns the results in the order of the requests
 */
export async function addAllToCart(
  tools: Tools,
  session: VisitSession,
  requests: readonly AddRequest[],
): Promise<{ session: VisitSession; results: AddResult[] }> {
  if (requests.length === 0) return { session, results: [] }
  const found = await findAll(tools, session, requests)
  const steps = requests.map((request, at) => {
    const product = found[at] ?? nothingFound
    return { product, add: request.quantity > maxPieces ? null : cartChange(tools, request, product) }
  })
  const changed = await changeSession(
    tools,
    session,
    (before) => {
      let state = before
      const decisions = steps.map(({ add }): AddDecision => {
        if (!add) return { ok: false, reason: 'nothing-to-add' }
        const next = add(state)
        state = next.state
        return next.result
      })
      return { state, result: decisions }
    },
    'S1',
  )
  const results = changed.result.map((result, at) =>
    resultOf(steps[at]?.product ?? nothingFound, { session: changed.session, result }),
  )
  return {
    session: changed.session,
    results: await localizeFacts(tools, (say) => results.map((one) => localized(say, one))),
  }
}

/** Localizes the names of a result. */
function localized(say: Say, result: AddResult): AddResult {
  if (result.ok) return { ...result, added: { ...result.added, name: say.text(result.added.name) } }
  const named = { ...result, name: say.text(result.name) }
  if (named.reason === 'invalid-option') return { ...named, label: say.text(named.label) }
  if (named.reason === 'missing-options') return { ...named, labels: named.labels.map((label) => say.text(label)) }
  return named
}

type Found = { product: CartProduct | null; variation: CartProduct | null; facts: ReadonlyMap<number, CartProduct> }

const nothingFound: Found = { product: null, variation: null, facts: new Map() }

const about = ({ product }: Found) => ({
  name: product?.name ?? '',
  slug: product?.status === 'publish' ? product.slug : '',
})

function resultOf(found: Found, { session, result }: { session: VisitSession; result: AddDecision }): AddResult {
  const { name, slug } = about(found)
  if (!result.ok) return { ...result, name, slug }
  return { ok: true, session, key: result.key, added: { name, quantity: result.quantity }, products: found.facts }
}

/** Returns the change of the cart for a request. */
function cartChange(tools: Tools, request: AddRequest, { product, variation, facts }: Found) {
  const productId = product?.id ?? 0
  const variationId = variation?.id ?? null
  const keyOf = (attributes: Readonly<Record<string, string>>) =>
    lineKey({ productId, variationId, attributes: wireAttributes(attributes) }, shortDigest)
  const decide = (state: SessionState): AddDecision =>
    addCheck({
      soldOutAt: tools.settings.outOfStockAmount,
      quantity: request.quantity,
      product: product && addedProduct(tools, product),
      variation: variation && addedProduct(tools, variation),
      attributes:
        variation?.id === request.productId ? { ...variation.chosen, ...request.attributes } : request.attributes,
      cart: state.lines.map((line) => ({
        key: line.key,
        stockOwner: facts.get(line.variationId ?? line.productId)?.stockOwner ?? null,
        quantity: line.quantity,
      })),
      keyOf,
    })
  const press = request.press ?? null
  return (state: SessionState): { state: SessionState; result: AddDecision } => {
    const before = press === null ? undefined : state.pressed.find((one) => one.press === press)
    if (before) return { state, result: { ok: true, ...before, attributes: request.attributes } }
    const decision = decide(state)
    if (!decision.ok) return { state, result: decision }
    const { key, quantity, attributes } = decision
    const sold = variation ?? product
    const price = sold && currentPrice(sold, tools.exchange, tools.clock.now())
    const line = {
      key,
      productId,
      variationId,
      quantity,
      attributes,
      addedAt: tools.clock.now().getTime(),
      ...(sold && price ? { seen: snapshotOf(sold, price.entered, tools.exchange.from) } : {}),
    }
    const added = withLine(state, line)
    if (press === null) return { state: added, result: decision }
    const pressed = [...state.pressed, { press, key, quantity }].slice(-pressesKept)
    return { state: { ...added, pressed }, result: decision }
  }
}

/** Returns the product ids of the cart and the request. */
function requiredIds({ state }: VisitSession, { productId, variationId }: AddRequest): number[] {
  return [...state.lines.map(soldProductId), productId, ...(variationId === null ? [] : [variationId])]
}

/** Finds products and variations: one read, and another where variations were given without their products. */
async function findAll({ db, clock }: Tools, session: VisitSession, requests: readonly AddRequest[]): Promise<Found[]> {
  const facts = new Map<number, CartProduct>()
  const read = async (ids: readonly number[]) => {
    const products = await productsForCart(db, [...new Set(ids)], clock.now(), { sessionId: session.id })
    for (const [id, product] of products) facts.set(id, product)
  }
  await read(requests.flatMap((request) => requiredIds(session, request)))
  const parents = requests.flatMap(({ productId }) => facts.get(productId)?.parentId ?? [])
  await read(parents.filter((id) => !facts.has(id)))
  const open = requests.filter(
    (request) => !resolveFrom(facts, request) && facts.get(request.productId)?.type === 'variable',
  )
  const matches = new Map(
    await Promise.all(
      open.map(async (request) => {
        const match = await matchingVariation(db.sql, request.productId, request.attributes)
        return [request, match?.variation.id ?? null] as const
      }),
    ),
  )
  await read([...matches.values()].filter((id) => id !== null))
  return requests.map((request) => {
    const variation = facts.get(matches.get(request) ?? 0) ?? null
    return resolveFrom(facts, request) ?? { product: facts.get(request.productId) ?? null, variation, facts }
  })
}

/** Resolves a request from these facts; null when more must be read. */
function resolveFrom(facts: ReadonlyMap<number, CartProduct>, request: AddRequest): Found | null {
  const named = facts.get(request.productId) ?? null
  if (named?.type === 'variation' && named.parentId !== null) {
    const parent = facts.get(named.parentId)
    return parent ? { product: parent, variation: named, facts } : null
  }
  if (named?.type !== 'variable') return { product: named, variation: null, facts }
  if (request.variationId !== null) return { product: named, variation: facts.get(request.variationId) ?? null, facts }
  return Object.keys(request.attributes).length === 0 ? { product: named, variation: null, facts } : null
}

function addedProduct({ exchange, clock }: Tools, product: CartProduct): AddedProduct {
  const price = currentPrice(product, exchange, clock.now())
  return { ...product, price: price?.price.minor ?? null }
}

function wireAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([slug, value]) => [`attribute_${slug}`, value]))
}
