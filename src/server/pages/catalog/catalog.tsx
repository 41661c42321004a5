import { readListingFilters } from '#contract/catalog/listing-query.ts'
import { urls } from '#contract/shared/urls.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { comma } from '#domain/translation/list-separator.ts'
import type { AttributeFacts, ListingFacts, PriceFacts, ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { type ListingRequest, listingParameters, readListing } from '#shop/catalog/read-listing.ts'
import { readProduct } from '#shop/catalog/read-product.ts'
import { readHome } from '#shop/content/read-home.ts'
import { HomePage } from '#web/pages/catalog/home-page.tsx'
import { ListingPage } from '#web/pages/catalog/listing-page.tsx'
import { ProductPage } from '#web/pages/catalog/product-page.tsx'
import { listingPageUrl } from '#web/parts/catalog/pagination.tsx'
import { pageTags } from '../../cache/cache-tags.ts'
import { renderMarkdown } from '../../content/markdown.ts'
import { chargedView } from '../../currency/currency-choice.ts'
import type { Visit } from '../../http/visit.ts'
import { discoveryLink } from '../../rest/route-index.ts'
import { writtenIn } from '../../translation/content-language.ts'
import { errorPage } from '../shared/error-page.tsx'
import { publicPage } from '../shared/page-answer.tsx'
import type { PageContent } from '../shared/page-content.ts'
import { homeAbout, listingAbout, productAbout } from '../shared/page-metadata.ts'
import { plainText } from '../shared/plain-text.ts'
import { otherParameters } from './foreign-parameters.ts'

/** Answers with the front page; with `s` in the query, with the search. */
export async function homePage(visit: Visit): Promise<Response> {
  if (visit.url.searchParams.has('s')) return searchPage(visit)
  return publicPage(visit, '/', async () => {
    const { app } = visit
    const { settings } = app.tools
    const { t, tagline } = await app.shop()
    const facts = await readHome(app.tools, {
      page: (slug) => {
        const page = app.content.find(slug, settings.language)
        return page && { title: page.title, markdown: page.markdown, writtenIn: writtenIn(app, page) }
      },
      html: (markdown) => belowHeading(renderMarkdown(markdown, t('Table')).html),
    })
    return {
      kind: 'home',
      tags: [pageTags.catalog],
      script: 'listing',
      title: settings.name,
      description: tagline,
      canonical: urls.home(),
      // API clients know only the shop's address, and discover the API from there.
      link: discoveryLink(app.tools.publicUrl),
      about: await homeAbout(app),
      element: <HomePage facts={facts} />,
    }
  })
}

/** Lowers the headings of a text whose title is a heading of the page, and removes their anchors. */
function belowHeading(html: string): string {
  return html.replace(
    /<(\/?)h([2-6])(?: id="[^"]*")?>/g,
    (_, end: string, level: string) => `<${end}h${Math.min(6, Number(level) + 1)}>`,
  )
}

export function shopPage(visit: Visit, { page }: Record<string, string>): Promise<Response> {
  return listing(visit, { kind: 'shop' }, page)
}

/** Answers `/product-category/<path>/` and its further pages. */
export function categoryPage(visit: Visit): Promise<Response> {
  const match = /^\/product-category\/(.+?)(?:\/page\/([1-9]\d{0,5}))?\/$/.exec(visit.url.pathname)
  if (!match?.[1]) return errorPage(visit, 404)
  return listing(visit, { kind: 'category', categoryPath: decodeURIComponent(match[1]) }, match[2])
}

export function tagPage(visit: Visit, { tag = '', page }: Record<string, string>): Promise<Response> {
  return listing(visit, { kind: 'tag', tag }, page)
}

function searchPage(visit: Visit): Promise<Response> {
  return listing(visit, { kind: 'search', term: (visit.url.searchParams.get('s') ?? '').slice(0, 200) }, undefined)
}

type Scope =
  | { kind: 'shop' }
  | { kind: 'category'; categoryPath: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'search'; term: string }

async function listing(visit: Visit, scope: Scope, pagePart: string | undefined): Promise<Response> {
  const { searchParams, pathname } = visit.url
  const page = Number(pagePart ?? searchParams.get('paged') ?? 1)
  const request: ListingRequest = {
    ...scope,
    sorting: searchParams.get('orderby') ?? undefined,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    filters: readListingFilters(searchParams),
  }
  const others = otherParameters(searchParams)
  // Contains known parameters only: a page that passes on others must not be cached for all visitors.
  const key = pageKey(pathname, [
    ...(scope.kind === 'search' ? Object.entries({ s: scope.term, post_type: 'product' }) : []),
    ...Object.entries(await listingParameters(visit.app.tools, request)),
    ...(pagePart === undefined && request.page !== 1 ? [['paged', String(request.page)] as [string, string]] : []),
  ])
  return publicPage(visit, others.length > 0 ? null : key, async () => {
    const facts = await readListing(visit.app.tools, request)
    if (!facts) return errorPage(visit, 404)
    // An empty listing shows popular products instead.
    const slug = scope.kind === 'category' && facts.total > 0 ? scope.categoryPath.split('/').at(-1) : undefined
    return {
      ...(await listingContent(visit, facts, others)),
      tags: [slug ? pageTags.category(slug) : pageTags.catalog],
    }
  })
}

/** Returns the cache key of a page: its path, and its parameters in the order of its own links. */
function pageKey(path: string, params: [string, string][]): string {
  return params.length > 0 ? `${path}?${new URLSearchParams(params)}` : path
}

/**
 * Every combination of filters and sorting is a page; search engines index those with one filter in the default order.
 */
function isForSearchEngines({ kind, facets, chosen, sorting, sortings }: ListingFacts): boolean {
  const byPrice = facets.some((facet) => facet.kind === 'price' && (facet.from || facet.to))
  return kind !== 'search' && chosen.length <= 1 && !byPrice && sorting === sortings[0]
}

async function listingContent(visit: Visit, facts: ListingFacts, others: [string, string][]): Promise<PageContent> {
  const { language, tagline } = await visit.app.shop()
  const indexed = isForSearchEngines(facts)
  const slug =
    facts.kind === 'category' || facts.kind === 'tag'
      ? facts.path.split('?')[0]?.split('/').filter(Boolean).at(-1)
      : undefined
  return {
    kind: 'listing',
    script: 'listing',
    title: facts.title,
    description: plainText(facts.description, 160) || namesOf(facts.products, language) || tagline,
    canonical: listingPageUrl(facts, facts.page),
    bodyClasses: slug ? [facts.kind === 'category' ? 'tax-product_cat' : 'tax-product_tag', `term-${slug}`] : [],
    ...(indexed ? {} : { robots: 'noindex, follow' }),
    about: await listingAbout(visit.app, facts, indexed),
    productIds: facts.products.map(({ id }) => id),
    isPassing: facts.isPassing,
    payment: tellsInstalments(visit) ? { products: listedProducts(facts) } : {},
    element: <ListingPage facts={facts} instead={await shownInstead(visit, facts)} others={others} />,
  }
}

/**
 * Returns popular products for an empty search or category. A listing emptied by filters is filled by removing them.
 */
async function shownInstead(visit: Visit, { products, clearUrl }: ListingFacts): Promise<ListingFacts['products']> {
  if (products.length > 0 || clearUrl) return []
  const popular = await readListing(visit.app.tools, { kind: 'shop', sorting: 'popularity' })
  return popular?.products.slice(0, 4) ?? []
}

/** Describes a listing without a description by its first products: a distinct text beats a general one. */
function namesOf(products: readonly ProductCardFacts[], language: string): string {
  const names = products.slice(0, 5).map(({ name }) => name)
  const list = names.join(comma(language))
  return names.length < products.length ? `${list} …` : list
}

export async function productPage(visit: Visit, { slug = '' }: Record<string, string>): Promise<Response> {
  const { searchParams } = visit.url
  // Only the product knows its options: any other parameter shows the page without choices.
  const choosing = [...searchParams.keys()].some((name) => name.startsWith('attribute_'))
  const facts = choosing ? await readProduct(visit.app.tools, slug) : null
  const chosen = (facts?.attributes ?? []).flatMap((attribute) => {
    const value = knownChoice(attribute, searchParams)
    return value === null ? [] : [[`attribute_${attribute.slug}`, value] as [string, string]]
  })
  return publicPage(visit, pageKey(`/product/${slug}/`, chosen.sort()), () => productContent(visit, slug))
}

async function productContent(visit: Visit, slug: string): Promise<PageContent | Response> {
  const { app } = visit
  const facts = await readProduct(app.tools, slug)
  if (!facts) return errorPage(visit, 404)
  const preset = withChosenDefaults(facts, visit.url.searchParams)
  return {
    kind: 'product',
    script: 'product',
    title: facts.name,
    description: plainText(facts.shortDescription || facts.description, 160),
    canonical: facts.url,
    ...(facts.hidden ? { robots: 'noindex' } : {}),
    about: await productAbout(app, facts),
    bodyClasses: [`postid-${facts.id}`],
    productIds: [facts.id],
    tags: [
      // Also hidden ones: a product in no list can be published without a change of any category.
      ...[...facts.linked, ...facts.related.map(({ id }) => id)].map(pageTags.product),
      // Another product of the same category may become a related product.
      ...facts.categories.map(({ slug: category }) => pageTags.category(category)),
    ],
    leadsAway: facts.type === 'external',
    // An external product is not paid here, nor in instalments.
    payment: facts.type === 'external' ? {} : { product: await paymentProduct(visit, slug, facts) },
    element: <ProductPage facts={preset} />,
  }
}

/** Returns the product's facts for the wallet's scripts, in the charged currency. */
async function paymentProduct({ app }: Visit, slug: string, shown: ProductFacts) {
  const charged = chargedView(app)
  const other = charged === app ? null : await readProduct(charged.tools, slug)
  const { id, virtual, price } = other ?? shown
  return {
    id,
    needsShipping: !virtual,
    total: lowestPrice(price),
    price: lowestPrice(price),
    currency: (other ? charged : app).tools.settings.currency,
    ...(other && other.variations.length > 0
      ? { prices: Object.fromEntries(other.variations.map((one) => [String(one.id), lowestPrice(one.price)])) }
      : {}),
  }
}

/** Returns the lowest price as printed, without currency; '0' without a price. */
function lowestPrice(price: PriceFacts): string {
  if (price.kind === 'none') return '0'
  return decimalString(price.kind === 'range' ? price.from : price.price)
}

/** Checks whether instalments are advertised. They need a message, and prices shown in the charged currency. */
function tellsInstalments({ app }: Visit): boolean {
  return app.tools.settings.paypal.messages.shop.enabled && chargedView(app) === app
}

const listedProducts = ({ products }: ListingFacts) =>
  products.filter(({ purchasable }) => purchasable).map(listedProduct)

const listedProduct = ({ id, type, price }: ProductCardFacts) => ({
  id,
  product_type: type,
  total: lowestPrice(price),
})

type ProductFacts = NonNullable<Awaited<ReturnType<typeof readProduct>>>

/** Applies choices from a link (`attribute_pa_colour=sand`, as in the cart's lines) as defaults of the form. */
function withChosenDefaults(facts: ProductFacts, params: URLSearchParams): ProductFacts {
  const attributes = facts.attributes.map((attribute) => {
    const defaultOption = knownChoice(attribute, params)
    return defaultOption === null ? attribute : { ...attribute, defaultOption }
  })
  return { ...facts, attributes }
}

/** Returns the option that the parameters choose for a variation attribute; null: none that exists. */
function knownChoice({ slug, forVariations, options }: AttributeFacts, params: URLSearchParams): string | null {
  const wanted = params.get(`attribute_${slug}`)
  return forVariations && options.some(({ value }) => value === wanted) ? wanted : null
}
