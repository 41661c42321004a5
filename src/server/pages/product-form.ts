import { attributesIn, idIn, piecesIn } from '#contract/calls/cart.ts'
import { urls } from '#contract/urls.ts'
import { productsForCart } from '#database/catalog/cart-products.ts'
import { addToCart } from '#shop/add-to-cart.ts'
import type { NoticeFacts } from '#shop/cart-facts.ts'
import { readProduct } from '#shop/read-product.ts'
import { addedNotice, errorNotice, refusalNotice } from '../cart-notices.tsx'
import { currentCart, tellCart } from '../fragments.tsx'
import { isFromShop } from '../origin-check.ts'
import { refererPath, seeOther } from '../redirect.ts'
import { parseForm } from '../request-body.ts'
import type { Visit } from '../visit.ts'

/** `?add-to-cart=<id>`: the link that a card's button is without script, on whatever page. Null when the address holds none. */
export async function acceptAddLink(visit: Visit): Promise<Response | null> {
  const { method } = visit.request
  if (!visit.url.searchParams.has('add-to-cart') || (method !== 'GET' && method !== 'HEAD')) return null
  // Whoever only looks has put nothing into a cart; what they are told is kept by nobody, as what the link answers.
  if (method === 'HEAD') return seeOther(pageOf(visit))
  // Anybody's page may hold such an address: a speculative load or a foreign picture must not fill a cart.
  if (/prefetch|prerender/.test(visit.request.headers.get('sec-purpose') ?? ''))
    return new Response(null, { status: 503 })
  return add(visit, parseForm(visit.url.searchParams), pageOf(visit))
}

/** The form of a product's page, posted by the browser itself. */
export async function productForm(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const from = refererPath(visit.request, undefined, pathWithout(visit.url), leaveOut)
  return add(visit, { ...parseForm(visit.url.searchParams), ...(await visit.fields()) }, from)
}

/** What the form of a product asks for, and what nothing was chosen of. */
async function openChoices(visit: Visit, slug: string, fields: Fields): Promise<NoticeFacts[]> {
  const posted = attributesIn(fields)
  if (!Object.values(posted).includes('')) return []
  const product = await readProduct(visit.app.tools, slug)
  const { n } = await visit.app.shop()
  return (product?.attributes ?? [])
    .filter((attribute) => attribute.forVariations && posted[attribute.slug] === '')
    .map((attribute) =>
      errorNotice(n(1, '%2$s is a required field', '%2$s are required fields', attribute.label), attribute.slug),
    )
}

/** The page of a product as it was left: it opens with what was chosen on it. */
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
  const { tools } = visit.app
  const shop = await visit.app.shop()
  const added: { name: string; quantity: number }[] = []
  let asked = 0
  let back = page
  for (const wanted of wantedFrom(fields)) {
    asked += 1
    const result = await addToCart(tools, await visit.session(), wanted)
    if (result.ok) {
      visit.adopt(result.session)
      added.push(result.added)
    } else if (result.reason === 'not-purchasable' && (await isGroup(visit, wanted.productId))) {
      // A form that names none of the group's products.
      await visit.addNotice(errorNotice(shop.t('Please choose a product to add to your cart.')))
    } else {
      const open = /^(choose|missing)-options$/.test(result.reason) ? await openChoices(visit, result.slug, fields) : []
      // The same words with a way to each choice.
      const general = result.reason === 'missing-options' && open.length > 0 ? [] : refusalNotice(shop, result)
      await visit.addNotice(...general, ...open)
      if (open.length > 0) back = withChoices(page, fields)
    }
  }
  if (asked === 0 && typeof fields.quantity === 'object') {
    await visit.addNotice(errorNotice(shop.t('Please choose how many pieces you would like.')))
  }
  const toCart = tools.settings.redirectAfterAdd && added.length > 0 && added.length === asked
  if (added.length > 0) {
    await visit.addNotice(addedNotice(shop, added, toCart))
    tellCart(visit, (await currentCart(visit)).facts)
  }
  return seeOther(toCart ? urls.cart() : back)
}

/** The link names the product alone; the order and search of the list it stands in are those of the same page before. */
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

/** What a form asks for: one product, or of a grouped one every child with a quantity. */
function wantedFrom(fields: Fields) {
  const attributes = attributesIn(fields)
  if (typeof fields.quantity === 'object' && fields.quantity !== null) {
    return Object.entries(fields.quantity as Fields).flatMap(([child, quantity]) => {
      const productId = idIn(child)
      const pieces = text(quantity)?.trim() ? piecesIn(text(quantity)) : 0
      return productId && pieces > 0 ? [{ productId, variationId: null, quantity: pieces, attributes: {} }] : []
    })
  }
  const productId = idIn(text(fields['add-to-cart']) ?? text(fields.product_id))
  if (!productId) return []
  return [
    { productId, variationId: idIn(text(fields.variation_id)), quantity: piecesIn(text(fields.quantity)), attributes },
  ]
}
