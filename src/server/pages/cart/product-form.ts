import { attributesIn, idIn, piecesIn } from '#contract/cart/messages.ts'
import { urls } from '#contract/shared/urls.ts'
import { productsForCart } from '#database/cart/cart-products.ts'
import { findGroupChildren } from '#database/catalog/group-children.ts'
import { type AddResult, addAllToCart, addToCart } from '#shop/cart/add-to-cart.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { readProduct } from '#shop/catalog/read-product.ts'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { refererPath, seeOther } from '../../http/redirect.ts'
import { parseForm } from '../../http/request/request-body.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { addedNotice, errorNotice, refusalNotice } from '../../notices/cart-notices.tsx'

/**
 * Handles `?add-to-cart=<id>`, the link of a card's button without scripts, on any page. Null: the address has none.
 */
export async function acceptAddLink(visit: Visit): Promise<Response | null> {
  const { method } = visit.request
  if (!visit.url.searchParams.has('add-to-cart') || (method !== 'GET' && method !== 'HEAD')) return null
  // A HEAD request must not fill a cart. Neither its answer nor the link's may be cached.
  if (method === 'HEAD') return seeOther(pageOf(visit))
  // Any page may contain such an address: a speculative load or a foreign image must not fill a cart.
  if (/prefetch|prerender/.test(visit.request.headers.get('sec-purpose') ?? ''))
    return new Response(null, { status: 503 })
  return add(visit, parseForm(visit.url.searchParams), pageOf(visit))
}

/** Handles the product form, as posted by a browser without scripts. */
export async function productForm(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const from = refererPath(visit.request, undefined, pathWithout(visit.url), leaveOut)
  return add(visit, { ...parseForm(visit.url.searchParams), ...(await visit.fields()) }, from)
}

/** Returns a notice for each option of the product form without a choice. */
async function openChoices(visit: Visit, slug: string, fields: Fields): Promise<NoticeFacts[]> {
  const posted = attributesIn(fields)
  if (!Object.values(posted).includes('')) return []
  const product = await readProduct(visit.app.tools, slug)
  const { t, n } = await visit.app.shop()
  return (product?.attributes ?? [])
    .filter((attribute) => attribute.forVariations && posted[attribute.slug] === '')
    .map((attribute) =>
      errorNotice(
        n(1, '%2$s is a required field', '%2$s are required fields', attribute.label),
        attribute.slug,
        t('Choose an option'),
      ),
    )
}

/** Returns the product page's address with the choices made on it. */
function withChoices(page: string, fields: Fields): string {
  const [path = '', query] = page.split('?')
  const kept = new URLSearchParams(query)
  for (const [slug, value] of Object.entries(attributesIn(fields))) if (value) kept.set(`attribute_${slug}`, value)
  return kept.size > 0 ? `${path}?${kept}` : path
}

async function isGroup({ app, now }: Visit, id: number): Promise<boolean> {
  return (await productsForCart(app.tools.db, [id], now)).get(id)?.type === 'grouped'
}

type Fields = Readonly<Record<string, unknown>>
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const leaveOut = ['add-to-cart', 'quantity', 'added-to-cart', 'variation_id', 'product_id']

async function add(visit: Visit, fields: Fields, page: string): Promise<Response> {
  const shop = await visit.app.shop()
  const isGroupForm = typeof fields.quantity === 'object' && fields.quantity !== null
  const { asked, results, notices, back } = isGroupForm
    ? await addChildren(visit, fields, page)
    : await addOne(visit, fields, page)
  const added = results.flatMap((result) => (result.ok ? [result.added] : []))
  const toCart = visit.app.tools.settings.redirectAfterAdd && added.length > 0 && added.length === asked
  await visit.addNotice(...notices, ...(added.length > 0 ? [addedNotice(shop, added, toCart)] : []))
  if (added.length > 0) setCartCookies(visit, (await currentCart(visit)).facts)
  return seeOther(toCart ? urls.cart() : back)
}

/** The result of a form: the quantity added, and the page that follows with its notices. */
type FormOutcome = {
  asked: number
  results: readonly AddResult[]
  notices: readonly NoticeFacts[]
  back: string
}

async function addOne(visit: Visit, fields: Fields, page: string): Promise<FormOutcome> {
  const shop = await visit.app.shop()
  const productId = idIn(text(fields['add-to-cart']) ?? text(fields.product_id))
  if (!productId) return { asked: 0, results: [], notices: [], back: page }
  const result = await addToCart(visit.app.tools, await visit.session(), {
    productId,
    variationId: idIn(text(fields.variation_id)),
    quantity: piecesIn(text(fields.quantity)),
    attributes: attributesIn(fields),
  })
  const outcome = { asked: 1, results: [result] }
  if (result.ok) {
    visit.adopt(result.session)
    return { ...outcome, notices: [], back: page }
  }
  if (result.reason === 'not-purchasable' && (await isGroup(visit, productId))) {
    // The form has none of the group's products.
    const notice = errorNotice(shop.t('Please choose a product to add to your cart.'))
    return { ...outcome, notices: [notice], back: page }
  }
  const open = /^(choose|missing)-options$/.test(result.reason) ? await openChoices(visit, result.slug, fields) : []
  // Replaced by one notice per missing choice, with a link to it.
  const general = result.reason === 'missing-options' && open.length > 0 ? [] : refusalNotice(shop, result)
  return { ...outcome, notices: [...general, ...open], back: open.length > 0 ? withChoices(page, fields) : page }
}

/** Adds every child of a grouped product that has a quantity. Other products in the form are ignored. */
async function addChildren(visit: Visit, fields: Fields, page: string): Promise<FormOutcome> {
  const { tools } = visit.app
  const shop = await visit.app.shop()
  const groupId = idIn(text(fields['add-to-cart']) ?? text(fields.product_id))
  const named = Object.entries(fields.quantity as Fields).flatMap(([child, quantity]) => {
    const productId = idIn(child)
    const pieces = text(quantity)?.trim() ? piecesIn(text(quantity)) : 0
    return productId && pieces > 0 ? [{ productId, variationId: null, quantity: pieces, attributes: {} }] : []
  })
  const ids = named.map(({ productId }) => productId)
  const children = groupId && ids.length > 0 ? await findGroupChildren(tools.db, groupId, ids) : null
  const wanted = named.filter(({ productId }) => children?.has(productId))
  if (wanted.length === 0) {
    const notice = errorNotice(shop.t('Please choose how many items you would like.'))
    return { asked: 0, results: [], notices: [notice], back: page }
  }
  const { session, results } = await addAllToCart(tools, await visit.session(), wanted)
  visit.adopt(session)
  const notices = results.flatMap((result) => (result.ok ? [] : refusalNotice(shop, result)))
  return { asked: wanted.length, results, notices, back: page }
}

/**
 * Returns the address of the page before. The link contains the product alone; order and search of its list come from
 * that page.
 */
function pageOf({ request, url }: Visit): string {
  const asked = pathWithout(url)
  const before = refererPath(request, undefined, asked, leaveOut)
  return new URL(before, request.url).pathname === new URL(request.url).pathname ? before : asked
}

function pathWithout(url: URL): string {
  const kept = new URLSearchParams(
    [...url.searchParams].filter(([name]) => !leaveOut.includes(name) && !name.startsWith('quantity[')),
  )
  return kept.size > 0 ? `${url.pathname}?${kept}` : url.pathname
}
