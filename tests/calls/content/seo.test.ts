import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { sharePictureDigest, sharePictureFile } from '#shop/content/share-picture-name.ts'
import { addDemoCatalogue } from '#tests/support/catalog/demo-catalogue.ts'
import { faultsOf, structuredData } from '#tests/support/content/rich-results.ts'
import { select, textOf } from '#tests/support/shared/rendered-markup.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

type Offer = { url: string; price: string; availability: string; priceSpecification?: { price: string } }

let shop: TestShop
let mapped: string[] = []
/** Every page of the site map, asked for once. */
const pages = new Map<string, string>()

beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    settings: {
      name: 'Fogline',
      tagline: 'Useful things for slow mornings',
      productsPerPage: 24,
      findability: { company: { legalName: 'Fogline Goods Ltd.' }, returns: { days: 30, cost: 'free' } },
    },
  })
  await addDemoCatalogue(shop)
  mapped = await addressesOf('/sitemap.xml')
  for (const address of mapped) pages.set(address, (await get(address)).html)
}, 240_000)
afterAll(() => shop.close())

async function get(address: string) {
  // Packing a hundred pages takes longer than making them.
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'identity' }
  const response = await fetch(new URL(address, shop.url), { redirect: 'manual', headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    to: response.headers.get('location'),
    html: await response.text(),
  }
}

/** What a site map lists, and those that it leads to. */
async function addressesOf(address: string): Promise<string[]> {
  const { html, status } = await get(address)
  expect(status, address).toBe(200)
  const found = [...html.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc.replaceAll('&amp;', '&'))
  const own = html.includes('<sitemapindex') ? (await Promise.all(found.map(addressesOf))).flat() : found
  return own
}

const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&')
const canonicalOf = (html: string) => attribute(html, /rel="canonical" href="([^"]*)"/)
const robotsOf = (html: string) => attribute(html, /name="robots" content="([^"]*)"/) ?? ''
const property = (html: string, name: string) => attribute(html, new RegExp(`property="${name}" content="([^"]*)"`))
const products = () => [...pages].filter(([address]) => address.includes('/product/'))

describe('the site map', () => {
  it('lists the front page, every category and product that is shown, and every page of text', async () => {
    const slugs = await shop.db.sql<{ slug: string }[]>`
      select slug from products where parent_id is null and status = 'publish' and visibility <> 'hidden'`
    const listed = new Set(mapped)
    expect(slugs.filter(({ slug }) => !listed.has(`${shop.url}/product/${slug}/`))).toEqual([])
    for (const path of ['/', '/shop/', '/product-category/ceramics/vases/', '/terms/', '/privacy-policy/']) {
      expect(listed).toContain(shop.url + path)
    }
    expect(listed.size).toBe(mapped.length)
    expect(slugs.length).toBeGreaterThan(60)
  })

  it('leads to pages that are there, that call themselves what it calls them, and that may be listed', () => {
    for (const [address, html] of pages) {
      expect(canonicalOf(html), address).toBe(address)
      expect(robotsOf(html), address).not.toContain('noindex')
    }
  })

  it('tells when each product changed, and which pictures it has', async () => {
    await shop.db.sql`update products set updated_at = '2031-02-03T04:05:06Z' where sku = 'TIDAL-VASE-MOSS'`
    const { application } = shop.shop
    application.pageCache.clear()
    const part = (await get('/sitemap-products-0.xml')).html
    const vase = part.split('<url>').find((entry) => entry.includes('/product/tidal-vase/')) ?? ''
    expect(vase).toContain('<lastmod>2031-02-03T04:05:06Z</lastmod>')
    expect(vase.match(/<image:loc>/g)).toHaveLength(2)
    expect((await get('/sitemap.xml')).html).toContain('2031-02-03T04:05:06Z')
  })

  it('has no part that lists nothing', async () => {
    for (const name of ['products-1', 'products-00', 'products-x', 'users']) {
      expect((await get(`/sitemap-${name}.xml`)).status, name).toBe(404)
    }
  })
})

describe('structured data', () => {
  it('is on every page what search engines ask for', () => {
    for (const [address, html] of pages) {
      for (const thing of structuredData(html)) expect(faultsOf(thing), address).toEqual([])
    }
  })

  it('tells of every product that has a price, and of nothing else', () => {
    for (const [address, html] of products()) {
      const told = structuredData(html).filter(({ '@type': type }) => /^Product/.test(String(type)))
      const [price] = select(html, 'p.price')
      expect(told.length, address).toBe(price && textOf(price) !== '' ? 1 : 0)
    }
  })

  it('asks what the page asks, and has what the page has', () => {
    let compared = 0
    for (const [address, html] of products()) {
      const told = structuredData(html).find(({ '@type': type }) => /^Product/.test(String(type)))
      if (!told) continue
      const shown = visiblePrices(select(html, 'div.summary p.price')[0])
      const offers = offersIn(told)
      const prices = offers.flatMap(({ price, lowPrice, highPrice }) => [price, lowPrice, highPrice]).filter(Boolean)
      const amounts = prices.map(Number)
      expect([Math.min(...amounts), Math.max(...amounts)], address).toEqual([Math.min(...shown), Math.max(...shown)])
      compared += 1
      const soldOut = /out-of-stock/.test(stockLine(html))
      if (told['@type'] === 'Product') {
        expect(offers[0]?.availability, address).toBe(
          `https://schema.org/${soldOut ? 'OutOfStock' : /backorder/.test(stockLine(html)) ? 'BackOrder' : 'InStock'}`,
        )
      }
    }
    expect(compared).toBeGreaterThan(60)
  })

  it('gives each variation its own number, price, stock and address, as the form of the page has them', () => {
    let compared = 0
    for (const [address, html] of products()) {
      const group = structuredData(html).find(({ '@type': type }) => type === 'ProductGroup')
      if (!group) continue
      const forms = JSON.parse(select(html, 'form.variations_form')[0]?.attributes['data-product_variations'] ?? '[]')
      const variants = group.hasVariant as { sku?: string; offers: Offer }[]
      const met = new Set()
      for (const variant of variants) {
        const { offers } = variant
        const chosen = Object.fromEntries(new URL(offers.url).searchParams)
        const form = forms.find(({ attributes }: { attributes: Record<string, string> }) =>
          Object.entries(attributes).every(([name, value]) => value === '' || value === chosen[name]),
        )
        // What the variation leaves open is chosen as well.
        expect(Object.keys(chosen).sort(), address).toEqual(Object.keys(form.attributes).sort())
        expect(Number(offers.price), address).toBe(form.display_price)
        const { display_regular_price: regular } = form
        expect(offers.priceSpecification?.price ?? '', address).toBe(
          regular > form.display_price ? regular.toFixed(2) : '',
        )
        expect(offers.availability === 'https://schema.org/OutOfStock', address).toBe(!form.is_in_stock)
        if (variant.sku) expect(variant.sku).toBe(form.sku)
        met.add(form)
        compared += 1
      }
      expect(met.size, address).toBe(forms.length)
    }
    expect(compared).toBeGreaterThan(50)
  })

  it('names the pictures that the page shows, and they are there', async () => {
    const html = pages.get(`${shop.url}/product/tidal-vase/`) ?? ''
    const told = structuredData(html).find(({ '@type': type }) => type === 'ProductGroup')
    const images = told?.image as string[]
    const hashes = images.map((image) => /media\/([0-9a-f]+)-/.exec(image)?.[1] ?? '')
    expect(hashes).toHaveLength(2)
    for (const hash of hashes)
      expect(select(html, 'img').some(({ attributes }) => attributes.src?.includes(hash))).toBe(true)
    for (const image of images) expect((await get(image)).status).toBe(200)
  })

  it('has the way to the page wherever the page shows one', () => {
    for (const [address, html] of pages) {
      const shown = select(html, 'nav.woocommerce-breadcrumb li').map(textOf)
      const list = structuredData(html).find(({ '@type': type }) => type === 'BreadcrumbList')
      const told = (list?.itemListElement as { name: string; item: string }[] | undefined) ?? []
      expect(
        told.map(({ name }) => name),
        address,
      ).toEqual(shown)
      if (told.length > 0) expect(told.at(-1)?.item, address).toBe(address)
    }
  })

  it('lists on a listing what is on it, in its order, counted over all its pages', async () => {
    const { html } = await get('/shop/page/2/')
    const page = structuredData(html).find(({ '@type': type }) => type === 'CollectionPage')
    type List = { numberOfItems: number; itemListElement: { position: number; name: string }[] }
    const { itemListElement, numberOfItems }: List = Object(page?.mainEntity)
    expect(itemListElement[0]?.position).toBe(25)
    expect(itemListElement.map(({ name }) => name)).toEqual(
      select(html, 'li.product h2.woocommerce-loop-product__title').map(textOf),
    )
    expect(numberOfItems).toBe(products().length)
  })

  it('tells on the front page who sells here, and how to search', () => {
    const [seller, site] = structuredData(pages.get(`${shop.url}/`) ?? '')
    expect(seller).toMatchObject({
      '@type': 'OnlineStore',
      name: 'Fogline',
      legalName: 'Fogline Goods Ltd.',
      email: 'owner@example.test',
      hasMerchantReturnPolicy: { merchantReturnDays: 30, returnFees: 'https://schema.org/FreeReturn' },
    })
    expect(site?.potentialAction).toMatchObject({
      target: { urlTemplate: `${shop.url}/?s={search_term_string}&post_type=product` },
    })
  })

  it('cannot be left by the name of a product', async () => {
    const name = '</script><script>alert(1)</script><!-- \u2028 " & ]]>'
    await shop.db.sql`update products set name = ${name} where slug = 'plain-mug'`
    shop.shop.application.pageCache.clear()
    const { html } = await get('/product/plain-mug/')
    expect(html.includes('<script>alert')).toBe(false)
    const product = structuredData(html).find(({ '@type': type }) => type === 'Product')
    expect(product?.name).toBe(name)
    await shop.db.sql`update products set name = 'Plain mug' where slug = 'plain-mug'`
    shop.shop.application.pageCache.clear()
  })
})

describe('the address that a page calls its own', () => {
  it.each([
    ['/shop/?utm_source=news&gclid=1', '/shop/'],
    ['/?fbclid=x', '/'],
    ['/shop/page/1/', '/shop/'],
    ['/shop/page/2/', '/shop/page/2/'],
    ['/shop/page/2/?utm_medium=mail', '/shop/page/2/'],
    ['/shop/?paged=2', '/shop/page/2/'],
    ['/shop/?filter_color=moss&utm_source=x', '/shop/?filter_color=moss'],
    ['/shop/?orderby=menu_order', '/shop/'],
    ['/product/tidal-vase/?attribute_pa_color=moss', '/product/tidal-vase/'],
    ['/product/tidal-vase/?attribute_pa_color=nothing&ref=x', '/product/tidal-vase/'],
    ['/product-category/ceramics/vases/?utm_campaign=x', '/product-category/ceramics/vases/'],
    ['/terms/?utm_source=x', '/terms/'],
  ])('of %s is %s', async (address, canonical) => {
    const { html, status } = await get(address)
    expect(status).toBe(200)
    expect(canonicalOf(html)).toBe(shop.url + canonical)
    expect(robotsOf(html)).not.toContain('noindex')
  })

  it.each(['/?s=vase&post_type=product', '/shop/?orderby=price', '/shop/?min_price=5', '/shop/?filter_color=moss,ink'])(
    '%s is not for search engines, what it leads to is',
    async (address) => {
      const { html, status } = await get(address)
      expect(status).toBe(200)
      expect(robotsOf(html)).toBe('noindex, follow')
      expect(structuredData(html).some(({ '@type': type }) => type === 'CollectionPage')).toBe(false)
    },
  )

  it.each([
    '/cart/',
    '/my-account/',
    '/my-account/lost-password/',
    '/checkout/order-received/1/?key=x',
    '/checkout/order-pay/1/?pay_for_order=true&key=x',
    '/product/nothing-of-the-kind/',
    '/coming-soon/',
  ])(
    '%s, which is nobody’s or one visitor’s own, is not for search engines and says nothing of itself',
    async (address) => {
      const { html } = await get(address)
      expect(robotsOf(html)).toContain('noindex')
      expect(structuredData(html)).toEqual([])
    },
  )

  it('a product that only its address leads to is not for search engines, nor on the map', async () => {
    await shop.db.sql`update products set visibility = 'hidden' where slug = 'tidal-vase'`
    shop.shop.application.pageCache.clear()
    expect(robotsOf((await get('/product/tidal-vase/')).html)).toBe('noindex')
    expect((await get('/sitemap-products-0.xml')).html).not.toContain('/product/tidal-vase/')
    await shop.db.sql`update products set visibility = 'visible' where slug = 'tidal-vase'`
    shop.shop.application.pageCache.clear()
  })

  it.each([
    ['/shop', '/shop/'],
    ['/Shop/', '/shop/'],
    ['/product/Tidal-Vase?attribute_pa_color=moss', '/product/tidal-vase/?attribute_pa_color=moss'],
    ['/PRODUCT-CATEGORY/Ceramics//Vases', '/product-category/ceramics/vases/'],
    ['/cart', '/cart/'],
    ['/my-account', '/my-account/'],
    ['/Terms', '/terms/'],
  ])('is where %s leads on to', async (address, to) => {
    expect(await get(address)).toMatchObject({ status: 301, to })
  })

  it('is not sought for what is nowhere, nor for what programs ask for', async () => {
    for (const path of ['/Nothing', '/product/No-Such-Thing', '/wp-json/x', '/Media/x', '/%2e%2e%2Fetc', '/a%25']) {
      const { status, to } = await get(path)
      expect([404, 400], path).toContain(status)
      expect(to).toBeNull()
    }
  })
})

describe('what is shown where a page is shared', () => {
  it('is told of every page that search engines list, with a picture that is there and its size', async () => {
    for (const [address, html] of pages) {
      expect(property(html, 'og:url'), address).toBe(address)
      for (const name of ['og:title', 'og:site_name', 'og:locale', 'og:type'])
        expect(property(html, name), address).toBeTruthy()
    }
    const vase = pages.get(`${shop.url}/product/tidal-vase/`) ?? ''
    expect(property(vase, 'og:type')).toBe('product')
    expect(property(vase, 'product:price:amount')).toBe('68.00')
    expect(property(vase, 'og:image:width')).toBe('1152')
    expect(property(vase, 'og:image:height')).toBe('1440')
    expect((await get(property(vase, 'og:image') ?? '')).type).toBe('image/webp')
  })

  it('is the drawn picture a second after that is there, with its true size', async () => {
    const { settings } = shop.shop.application.tools
    const [image] = await shop.db.sql<{ hash: string }[]>`
      select i.hash from products p join product_images pi on pi.product_id = p.id join images i on i.id = pi.image_id
      where p.slug = 'moon-jar' order by pi.position limit 1`
    const digest = sharePictureDigest(settings, { name: 'Moon Jar', image: image?.hash ?? null })
    const drawn = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
    await writeFile(join(shop.dataDir, 'media', sharePictureFile(digest)), drawn)
    const html = await vi.waitFor(
      async () => {
        shop.shop.application.pageCache.clear()
        const { html: shown } = await get('/product/moon-jar/')
        expect(property(shown, 'og:image')).toBe(`${shop.url}/media/share-${digest}.jpg`)
        return shown
      },
      { timeout: 5_000, interval: 100 },
    )
    expect([property(html, 'og:image:width'), property(html, 'og:image:height')]).toEqual(['1200', '630'])
    expect(property(html, 'og:image:alt')).toBe('Moon Jar – Fogline')
    expect((await get(property(html, 'og:image') ?? '')).type).toBe('image/jpeg')
  })

  it('colours the frame of the browser as the page is, in both schemes', () => {
    const html = pages.get(`${shop.url}/`) ?? ''
    const colours = select(html, 'meta[name=theme-color]').map(({ attributes }) => attributes.content)
    expect(colours).toHaveLength(2)
    for (const colour of colours) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
    expect(colours[0]).not.toBe(colours[1])
  })
})

describe('files for programs', () => {
  it('robots.txt keeps them out of what acts or is private, not out of what says so itself, and names the site map', async () => {
    const { html } = await get('/robots.txt')
    const closed = [...html.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path)
    for (const path of ['/my-account/', '/*?add-to-cart=', '/checkout/order-received/', '/wp-json/']) {
      expect(closed).toContain(path)
    }
    const out = (path: string) => closed.some((rule) => !rule.includes('*') && path.startsWith(rule))
    for (const path of [
      '/',
      '/shop/',
      '/cart/',
      '/checkout/',
      '/product/tidal-vase/',
      '/media/x.webp',
      '/assets/x.css',
    ]) {
      expect(out(path), path).toBe(false)
    }
    expect(html).toContain(`\nSitemap: ${shop.url}/sitemap.xml\n`)
    expect(robotsOf((await get('/cart/')).html)).toContain('noindex')
  })

  it('the manifest and the head name icons that are there', async () => {
    const manifest = JSON.parse((await get('/site.webmanifest')).html)
    expect(manifest).toMatchObject({ name: 'Fogline', start_url: '/', lang: 'en-US' })
    const html = pages.get(`${shop.url}/`) ?? ''
    const linked = select(html, 'link').filter(({ attributes }) => /icon|manifest/.test(attributes.rel ?? ''))
    const files = [
      ...manifest.icons.map(({ src }: { src: string }) => src),
      ...linked.map(({ attributes }) => attributes.href),
    ]
    expect(files.length).toBeGreaterThan(4)
    for (const file of files) expect((await get(file)).status, file).toBe(200)
  })

  it('the feed has the newest products first, each with its address', async () => {
    const { html, type } = await get('/feed/')
    expect(type).toBe('application/atom+xml; charset=UTF-8')
    const entries = html.split('<entry>').slice(1)
    expect(entries).toHaveLength(20)
    const dates = entries.map((entry) => /<published>([^<]*)</.exec(entry)?.[1] ?? '')
    expect(dates).toEqual(dates.toSorted().reverse())
    expect(mapped).toContain(/<link href="([^"]*)"/.exec(entries[0] ?? '')?.[1])
  })

  it('STORE-02 all of them keep silent while the shop is not open', async () => {
    await writeSettings(shop.db, { comingSoon: true })
    await expect.poll(async () => (await get('/robots.txt')).html).toBe('User-agent: *\nDisallow: /\n')
    // Who kept it would go on keeping search engines out of a shop that has opened.
    expect((await fetch(`${shop.url}/robots.txt`)).headers.get('cache-control')).toBe('no-cache')
    for (const path of ['/sitemap.xml', '/sitemap-products-0.xml']) expect((await get(path)).status, path).toBe(404)
    expect((await get('/feed/')).html).not.toMatch(/<entry>/)
    await writeSettings(shop.db, { comingSoon: false })
    await expect.poll(async () => (await get('/sitemap.xml')).status).toBe(200)
  })
})

type OfferFields = Record<'price' | 'lowPrice' | 'highPrice' | 'availability', string | undefined>

function offersIn(told: Record<string, unknown>): OfferFields[] {
  const variants = (told.hasVariant as { offers?: OfferFields }[] | undefined) ?? [told as { offers?: OfferFields }]
  return variants.flatMap(({ offers }) => offers ?? [])
}

/** The amounts of a price line that are asked now: not the former one. */
function visiblePrices(line: Parameters<typeof textOf>[0] | undefined): number[] {
  if (!line) return []
  const now = select(line, 'ins')[0] ?? line
  return select(now, 'bdi').map((amount) => Number(textOf(amount).replaceAll(/[^\d.]/g, '')))
}

const stockLine = (html: string) => select(html, 'div.summary p.stock')[0]?.attributes.class ?? ''
