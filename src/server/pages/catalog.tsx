import { urls } from '#contract/urls.ts'
import type { ListingFacts } from '#shop/catalog-facts.ts'
import { readHome } from '#shop/read-home.ts'
import { type ListingRequest, readListing } from '#shop/read-listing.ts'
import { readProduct } from '#shop/read-product.ts'
import { HomePage } from '#web/pages/home-page.tsx'
import { ListingPage } from '#web/pages/listing-page.tsx'
import { ProductPage } from '#web/pages/product-page.tsx'
import { type PageContent, publicPage } from '../page-answer.tsx'
import { plainText } from '../plain-text.ts'
import type { Visit } from '../visit.ts'
import { errorPage } from './error.tsx'
import { acceptAddLink } from './product-form.ts'

/** The front page; with `s` in its query, the search. */
export async function homePage(visit: Visit): Promise<Response> {
  const added = await acceptAddLink(visit)
  if (added) return added
  if (visit.url.searchParams.has('s')) return searchPage(visit)
  return publicPage(visit, '/', async () => {
    const { app } = visit
    const { settings } = app.tools
    const facts = await readHome(app.tools)
    return {
      kind: 'home',
      script: 'listing',
      title: settings.name,
      description: settings.tagline,
      canonical: urls.home(),
      element: <HomePage facts={facts} hero={await app.hero()} />,
    }
  })
}

export function shopPage(visit: Visit, { page }: Record<string, string>): Promise<Response> {
  return listing(visit, { kind: 'shop' }, page)
}

/** `/product-category/<path>/` and its further pages. */
export function categoryPage(visit: Visit): Promise<Response> {
  const match = /^\/product-category\/(.+?)(?:\/page\/(\d{1,6}))?\/?$/.exec(visit.url.pathname)
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
  const added = await acceptAddLink(visit)
  if (added) return added
  const { searchParams, pathname } = visit.url
  const sorting = searchParams.get('orderby') ?? undefined
  const page = Number(pagePart ?? searchParams.get('paged') ?? 1)
  const request: ListingRequest = {
    ...scope,
    sorting,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    query: keptQuery(searchParams),
  }
  const key = pageKey(pathname, [...searchParams])
  return publicPage(visit, key, async () => {
    const facts = await readListing(visit.app.tools, request)
    return facts ? listingContent(visit, facts) : errorPage(visit, 404)
  })
}

/** What a page depends on: its path, and its parameters in an order of their own. */
function pageKey(path: string, params: [string, string][]): string {
  return params.length > 0 ? `${path}?${new URLSearchParams(params.sort())}` : path
}

/** The parameters that links of a listing keep; what belongs to the address itself is set anew. */
function keptQuery(params: URLSearchParams): Record<string, string> {
  const own = [
    'orderby',
    'paged',
    'submit',
    'product-page',
    's',
    'post_type',
    'add-to-cart',
    'added-to-cart',
    'removed_item',
  ]
  return Object.fromEntries([...params].filter(([name]) => !own.includes(name)).slice(0, 20))
}

function listingContent(visit: Visit, facts: ListingFacts): PageContent {
  const slug =
    facts.kind === 'category' || facts.kind === 'tag' ? facts.path.split('/').filter(Boolean).at(-1) : undefined
  return {
    kind: 'listing',
    script: 'listing',
    title: facts.title,
    description: plainText(facts.description, 160) || visit.app.tools.settings.tagline,
    canonical: facts.page > 1 ? visit.url.pathname : facts.path,
    bodyClasses: slug ? [facts.kind === 'category' ? 'tax-product_cat' : 'tax-product_tag', `term-${slug}`] : [],
    ...(facts.kind === 'search' ? { robots: 'noindex, follow' } : {}),
    productIds: facts.products.map(({ id }) => id),
    element: <ListingPage facts={facts} />,
  }
}

export async function productPage(visit: Visit, { slug = '' }: Record<string, string>): Promise<Response> {
  const added = await acceptAddLink(visit)
  if (added) return added
  const { searchParams } = visit.url
  const chosen = [...searchParams].filter(([name]) => name.startsWith('attribute_')).sort()
  const key = pageKey(`/product/${slug}/`, chosen)
  return publicPage(visit, key, () => productContent(visit, slug))
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
    canonical: urls.product(slug),
    bodyClasses: [`postid-${facts.id}`],
    productIds: [facts.id],
    payment: {
      product: {
        id: facts.id,
        needsShipping: !facts.virtual,
        total: '0',
        price: '0',
        currency: app.tools.settings.currency,
      },
    },
    element: <ProductPage facts={preset} />,
  }
}

type ProductFacts = NonNullable<Awaited<ReturnType<typeof readProduct>>>

/** A link that names a choice (`attribute_pa_colour=sand`, as the cart's lines do) opens the form with it. */
function withChosenDefaults(facts: ProductFacts, params: URLSearchParams): ProductFacts {
  const attributes = facts.attributes.map((attribute) => {
    const wanted = params.get(`attribute_${attribute.slug}`)
    const known = wanted !== null && attribute.options.some((option) => option.value === wanted)
    return known ? { ...attribute, defaultOption: wanted } : attribute
  })
  return { ...facts, attributes }
}
