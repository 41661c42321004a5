import { urls } from '#contract/shared/urls.ts'
import { shopImage } from '#database/catalog/share-rows.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import type { ImageFacts, ListingFacts, ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { offerShipping } from '#shop/shipping/list-shipping-offers.ts'
import { productThing } from '#web/pages/catalog/structured-product.ts'
import type { PageAbout } from '#web/pages/shared/page-head.tsx'
import { breadcrumbList, collectionPage, organization, webSite } from '#web/pages/shared/structured-data.ts'
import { listingPageUrl } from '#web/parts/catalog/pagination.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { largest, sharedPicture } from '../../catalog/share-picture.ts'
import type { Application } from '../../operations/startup/application.ts'
import { plainText } from './plain-text.ts'

const ownImages = new WeakMap<ShopContextValue, Promise<ImageFacts | null>>()

/** Returns the image of the shop itself. Cached until the catalog changes, which creates another context. */
async function ownImage(app: Application): Promise<ImageFacts | null> {
  const shop = await app.shop()
  const known = ownImages.get(shop) ?? shopImage(app.tools.db.sql)
  ownImages.set(shop, known)
  // A failure must not be cached.
  known.catch(() => ownImages.delete(shop))
  return known
}

// Metadata of each kind of page for search engines and other sites: `PageContent.about`.

export async function homeAbout(app: Application): Promise<PageAbout> {
  const { settings, publicUrl } = app.tools
  const { logo, path, tagline } = await app.shop()
  const home = publicUrl + path(urls.home())
  const picture = await sharedPicture(app, { name: '', image: await ownImage(app) })
  const template = `${publicUrl}${path(urls.search(''))}`.replace('s=', 's={search_term_string}')
  return {
    kind: 'website',
    picture,
    jsonLd: [
      organization(publicUrl, home, {
        ...settings.findability.company,
        name: settings.name,
        description: tagline,
        email: settings.email,
        logoUrl: publicUrl + (logo?.url ?? urls.icon('icon-512.png')),
        imageUrl: picture?.url ?? '',
        country: settings.base.country,
        returns: settings.findability.returns,
      }),
      webSite(publicUrl, home, settings.name, settings.language, template),
    ],
  }
}

/** @param indexed whether search engines may index this page of the listing; otherwise it has only its breadcrumbs */
export async function listingAbout(app: Application, facts: ListingFacts, indexed: boolean): Promise<PageAbout> {
  const { publicUrl, settings } = app.tools
  const { t, path } = await app.shop()
  const own = facts.image ?? (facts.kind === 'category' ? null : await ownImage(app))
  const picture = await sharedPicture(app, { name: facts.kind === 'category' ? facts.title : '', image: own })
  const here = listingPageUrl(facts, 1).split('?')[0] ?? '/'
  const crumbs = [{ name: t('Home'), url: urls.home() }, ...facts.ancestors, { name: facts.title, url: here }]
  return {
    kind: 'website',
    picture,
    jsonLd: [
      // As on the page: the shop itself has no breadcrumbs.
      ...(facts.kind === 'shop' || facts.kind === 'search' ? [] : [breadcrumbList(publicUrl, led(path, crumbs))]),
      ...(indexed && facts.products.length > 0
        ? [
            collectionPage(publicUrl, {
              home: publicUrl + path(urls.home()),
              language: settings.language,
              name: facts.title,
              description: plainText(facts.description, 500),
              url: path(listingPageUrl(facts, facts.page)),
              imageUrl: own ? largest(own, publicUrl).url : '',
              total: facts.total,
              first: (facts.page - 1) * facts.perPage + 1,
              items: led(path, facts.products),
            }),
          ]
        : []),
    ],
  }
}

const longestDescription = 1000

export async function productAbout(app: Application, product: ProductFacts): Promise<PageAbout> {
  const { publicUrl, settings } = app.tools
  const { t, path } = await app.shop()
  const { price } = product
  const thing = productThing(
    { ...product, url: path(product.url) },
    {
      origin: publicUrl,
      condition: settings.findability.condition,
      description: plainText(`${product.shortDescription} ${product.description}`, longestDescription),
      imageUrl: (image) => largest(image, publicUrl).url,
      shipping: (offered) => offerShipping(app.tools, offered),
    },
  )
  const crumbs = [{ name: t('Home'), url: urls.home() }, ...product.ancestors, { name: product.name, url: product.url }]
  const lowest = price.kind === 'none' ? null : price.kind === 'range' ? price.from : price.price
  return {
    kind: 'product',
    picture: await sharedPicture(app, { name: product.name, image: product.image }),
    ...(lowest ? { price: { amount: decimalString(lowest), currency: lowest.currency } } : {}),
    jsonLd: [breadcrumbList(publicUrl, led(path, crumbs)), ...(thing ? [thing] : [])],
  }
}

/** Returns the metadata of a static page. `crumbs`: its breadcrumbs, if any; the page itself is the last one. */
export async function contentAbout(
  app: Application,
  crumbs: readonly { name: string; url: string }[] = [],
): Promise<PageAbout> {
  const { publicUrl } = app.tools
  const { path } = await app.shop()
  const picture = await sharedPicture(app, { name: '', image: await ownImage(app) })
  return { kind: 'article', picture, jsonLd: crumbs.length > 0 ? [breadcrumbList(publicUrl, led(path, crumbs))] : [] }
}

/** Localizes the addresses. */
function led(path: ShopContextValue['path'], all: readonly Named[]): Named[] {
  return all.map(({ name, url }) => ({ name, url: path(url) }))
}

type Named = { readonly name: string; readonly url: string }
