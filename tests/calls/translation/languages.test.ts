import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setRole } from '#shop/customers/manage-customers.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { saveSlugTranslations } from '#tests/support/translation/add-slugs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: {
      languages: [{ tag: 'de-DE' }, { tag: 'de-AT', slug: 'at' }, { tag: 'ar' }, { tag: 'it-IT', published: false }],
    },
  })
  await saveSlugTranslations(shop, 'de-DE', {
    base: {
      product: 'produkt',
      'product-category': 'kategorie',
      cart: 'warenkorb',
      checkout: 'kasse',
      'my-account': 'konto',
    },
    product: { 'plain-mug': 'becher', 'soup-bowl': 'schüssel' },
    category: { kitchen: 'küche', cups: 'tassen' },
    tag: { clay: 'ton' },
    page: { about: 'ueber-uns' },
  })
  await saveSlugTranslations(shop, 'ar', { base: { product: 'منتج' }, product: { 'plain-mug': 'كوب' } })
  await vi.waitFor(
    async () => {
      expect((await get('/de/produkt/becher/')).status).toBe(200)
      expect((await get(`/ar/${encodeURIComponent('منتج')}/${encodeURIComponent('كوب')}/`)).status).toBe(200)
    },
    { timeout: 10_000, interval: 100 },
  )
})
afterAll(() => shop.close())

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(shop.url + path, { redirect: 'manual', ...init })
  const { status, headers } = response
  return { status, headers, location: headers.get('location'), text: await response.text() }
}
const leadsTo = async (path: string, init: RequestInit = {}) => {
  const { status, location } = await get(path, init)
  return `${status} ${location}`
}
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  get(path, { method: 'POST', headers: { origin: shop.url, ...headers }, body: new URLSearchParams(fields) })
const settingsOf = (html: string) =>
  JSON.parse(/id="vitrine-settings">([^<]*)</.exec(html)?.[1] ?? '{}') as Record<string, Record<string, unknown>>

describe('an address that begins with a language', () => {
  it('TRN-08 is the same page with its language, its direction and links that stay in it', async () => {
    const own = await get('/shop/')
    expect(own.text).toContain('<html lang="en-US" dir="ltr">')
    expect(own.text).toContain('href="/product/plain-mug/"')
    const german = await get('/de/shop/')
    expect(german.text).toContain('<html lang="de-DE" dir="ltr">')
    expect(german.headers.get('content-language')).toBe('de-DE')
    expect(german.text).toContain('href="/de/produkt/becher/"')
    const elsewhere = [
      ...german.text.matchAll(/<(?:a|form|button)\s[^>]*?\b(?:href|action|data-url)="(\/[^"]*)"[^>]*>/g),
    ]
      .filter(([tag, path]) => !/ hreflang=/i.test(tag) && !path?.startsWith('/de/'))
      .map(([tag]) => tag)
    expect(elsewhere).toEqual([])
    expect(german.text).toContain('data-suggestions="/de/search-suggestions/"')
    expect((await get('/ar/shop/')).text).toContain('<html lang="ar" dir="rtl">')
  })

  it.each([
    '/de/shop/?filter_colour=sea&max_price=900',
    '/de/shop/?orderby=date',
    '/de/product-category/kitchen/?orderby=date&max_price=900',
    '/de/?s=mug&post_type=product',
    '/de/?s=mug&post_type=product&filter_on_sale=1&max_price=900',
  ])('leads from the listing %s straight to each that is narrowed, sorted or paged otherwise', async (path) => {
    const listing = await fetch(shop.url + path)
    expect(listing.status).toBe(200)
    const links = [
      ...(await listing.text()).matchAll(/<(?:a|form)\s[^>]*?\b(?:href|action)="(\/[^"]*)"[^>]*>/g),
    ].filter(([tag]) => !/ hreflang=/i.test(tag))
    const narrowing = links.flatMap(([, link = '']) =>
      /[?&]|page\//.test(link) ? [link.replaceAll('&amp;', '&')] : [],
    )
    // To the same as in the shop's own language.
    const own = await get(path.replace(/^\/de/, ''))
    const asked = (link: string) => link.replace(/^[^?]*/, '')
    const inOwn = [...own.text.matchAll(/<a\s[^>]*?\bhref="(\/[^"]*\?[^"]*)"[^>]*>/g)].filter(
      ([tag]) => !/ hreflang=/i.test(tag),
    )
    expect(narrowing.map(asked).filter(Boolean)).toEqual(
      inOwn.map(([, link = '']) => asked(link.replaceAll('&amp;', '&'))),
    )
    expect(narrowing.length).toBeGreaterThan(0)
    for (const link of new Set(narrowing)) {
      expect(link).toMatch(/^\/de\//)
      expect([link, (await get(link)).status]).toEqual([link, 200])
    }
  })

  it.each([
    ['/de/shop', '/de/shop/'],
    ['/de', '/de/'],
    ['/DE/shop/?orderby=date', '/de/shop/?orderby=date'],
    ['/en/shop/?orderby=date', '/shop/?orderby=date'],
    ['/en', '/'],
    ['/en//evil.example/', '/evil.example/'],
    ['/de/Produkt//Becher', '/de/produkt/becher/'],
    ['/de/robots.txt', '/robots.txt'],
    ['/de/sitemap.xml', '/sitemap.xml'],
    ['/de/assets/x.js', '/assets/x.js'],
  ])('TRN-08 %s leads on to %s', async (path, to) => {
    expect(await leadsTo(path)).toBe(`301 ${to}`)
  })

  it('T21 an address that begins like that of another host is refused', async () => {
    expect(await leadsTo('//de/shop/')).toBe('400 null')
  })

  it.each([
    ['/de/product/plain-mug/?attribute_x=1', '/de/produkt/becher/?attribute_x=1'],
    ['/de/product-category/kitchen/cups/', `/de/kategorie/${encodeURIComponent('küche')}/tassen/`],
    ['/de/product/soup-bowl/', `/de/produkt/${encodeURIComponent('schüssel')}/`],
    ['/de/product-tag/clay/', '/de/product-tag/ton/'],
    ['/de/about/', '/de/ueber-uns/'],
    ['/de/cart/', '/de/warenkorb/'],
    [`/de/${encodeURIComponent('منتج')}/${encodeURIComponent('كوب')}/`, '/de/produkt/becher/'],
    ['/produkt/becher/', '/product/plain-mug/'],
    ['/ar/produkt/becher/', `/ar/${encodeURIComponent('منتج')}/${encodeURIComponent('كوب')}/`],
  ])('an address in the words of another language, %s, leads to %s', async (path, to) => {
    expect(await leadsTo(path)).toBe(`301 ${to}`)
    expect((await get(to)).status).toBeLessThan(400)
  })

  it('is nowhere when nobody speaks the language, or nothing is there', async () => {
    const unknown = await get('/xx/shop/', { headers: { accept: 'text/html' } })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('<html lang="en-US"')
    const lost = await get('/de/nichts/', { headers: { accept: 'text/html' } })
    expect(lost.status).toBe(404)
    expect(lost.text).toContain('<html lang="de-DE"')
    expect((await get('/%64e/shop/')).status).toBe(404)
    expect((await get('/de/%E0%A4%A/')).status).toBe(400)
    expect((await get(`/de/${'a'.repeat(9000)}/`)).status).toBe(414)
    expect((await get('/de/de/shop/')).status).toBe(404)
  })

  it('puts nothing into a header that was not in the address', async () => {
    for (const path of ['/en/%0d%0aSet-Cookie:x=1/', '/DE/%0d%0aSet-Cookie:x=1/', '/de/Shop%0d%0aX:1']) {
      const { headers } = await get(path)
      expect(headers.get('set-cookie') ?? '').not.toContain('x=1')
      expect(headers.get('x')).toBeNull()
    }
    for (const path of ['/en/\\evil.example/', '/en/%5cevil.example', '/DE//evil.example', '/en/..//evil.example/']) {
      expect(new URL((await get(path)).location ?? '/', shop.url).origin).toBe(new URL(shop.url).origin)
    }
  })
})

describe('a language that is not published', () => {
  it('refuses fields that no form has as every other address does', async () => {
    expect((await get('/it/shop/?add-to-cart=1&__proto__[x]=1')).status).toBe(400)
  })

  it('is there for those who translate alone, and is kept by nobody', async () => {
    expect((await get('/it/shop/')).status).toBe(404)
    expect((await get('/shop/')).text).not.toContain('it-IT')
    const ada = aCustomer(shop)
    await ada.page('/my-account/')
    await ada.register()
    expect((await ada.send('/it/shop/')).status).toBe(404)
    const [row] = await shop.db.sql<{ id: number }[]>`select id::int from customers where email = ${ada.email}`
    await setRole(shop.shop.application.tools, row?.id ?? 0, 'translator')
    const translator = aCustomer(shop)
    await translator.page('/my-account/')
    await translator.logIn()
    for (const path of ['/it/shop/', '/it/feed/']) {
      const seen = await translator.send(path)
      expect([path, seen.status, seen.headers.get('cache-control')]).toEqual([path, 200, 'private, no-store'])
    }
    const page = await translator.page('/it/shop/')
    expect(page).toContain('<html lang="it-IT"')
    expect(page).not.toContain('hrefLang="x-default"')
    expect((await get('/it/shop/')).status).toBe(404)
    expect((await get('/it/feed/')).status).toBe(404)
  })
})

describe('what is posted and answered in a language', () => {
  it('stays in it: forms, links that change something, and where they lead back to', async () => {
    const id = await shop.idOf('MUG')
    const added = await form('/de/?wc-ajax=add_to_cart', { product_id: String(id), quantity: '1' })
    const { fragments } = JSON.parse(added.text) as { fragments: Record<string, string> }
    expect(fragments['div.widget_shopping_cart_content']).toContain('href="/de/warenkorb/"')
    expect(fragments['div.widget_shopping_cart_content']).toContain('href="/de/produkt/becher/"')
    const refused = await form('/de/?wc-ajax=add_to_cart', {
      product_id: String(await shop.idOf('GONE')),
      quantity: '1',
    })
    expect(JSON.parse(refused.text)).toMatchObject({
      error: true,
      product_url: `${shop.url}/de/produkt/sold-out-vase/`,
    })

    const product = { 'add-to-cart': String(id), quantity: '1' }
    const from = (referer: string) => ({ referer: shop.url + referer })
    expect((await form('/de/produkt/becher/', product)).location).toBe('/de/produkt/becher/')
    expect((await form('/de/product/plain-mug/', product, from('/de/shop/?x=1'))).location).toBe('/de/shop/?x=1')
    expect((await form('/product/plain-mug/', product)).location).toBe('/product/plain-mug/')
    expect(await leadsTo('/de/kasse/')).toBe('303 /de/warenkorb/')
    expect(await leadsTo('/de/warenkorb/?remove_coupon=x', { headers: from('/de/warenkorb/') })).toBe(
      '303 /de/warenkorb/',
    )
  })

  it('says what was added in the quotation marks of the language', async () => {
    const boris = aCustomer(shop, 'marks@example.test')
    await boris.send(`/de/produkt/becher/?add-to-cart=${await shop.idOf('MUG')}`)
    expect(await boris.page('/de/produkt/becher/')).toContain('„Plain mug“ liegt jetzt')
  })

  it('takes who logs in back to where they were', async () => {
    const boris = aCustomer(shop, 'boris@example.test')
    const page = await boris.page('/de/konto/')
    expect(page).toContain('action="/de/konto/"')
    await boris.register()
    await boris.logOut()
    for (const [redirect, to] of [
      ['/checkout/', '/de/kasse/'],
      ['/de/kasse/', '/de/kasse/'],
      ['/de/konto/lost-password/', '/de/konto/'],
      ['https://evil.example/', '/de/konto/'],
    ] as const) {
      await boris.page('/de/konto/')
      const answer = await boris.post('/de/konto/', {
        username: boris.email,
        password: 'tangerine-otter-41',
        login: 'Log in',
        'woocommerce-login-nonce': boris.nonce('woocommerce-login'),
        redirect,
      })
      expect([redirect, answer.headers.get('location')]).toEqual([redirect, to])
      await boris.page('/de/konto/')
      await boris.logOut()
    }
  })

  it('prints addresses of the language for scripts, and keeps each language’s cart markup apart', async () => {
    const [own, german] = await Promise.all(
      ['/product/plain-mug/', '/de/produkt/becher/'].map(async (path) => settingsOf((await get(path)).text)),
    )
    expect(german?.wc_add_to_cart_params).toMatchObject({
      ajax_url: '/de/wp-admin/admin-ajax.php',
      wc_ajax_url: '/de/?wc-ajax=%%endpoint%%',
      cart_url: '/de/warenkorb/',
    })
    expect(own?.wc_add_to_cart_params).toMatchObject({ ajax_url: '/wp-admin/admin-ajax.php', cart_url: '/cart/' })
    expect(german?.wcPPCPSettings?.generalData).toMatchObject({ ajaxRestPath: '/de/wp-json/wc-ppcp/v1/%s' })
    for (const key of ['fragment_name', 'cart_hash_key']) {
      expect(german?.wc_cart_fragments_params?.[key]).not.toBe(own?.wc_cart_fragments_params?.[key])
    }
    const asked = await form('/de/wp-admin/admin-ajax.php', { action: 'woocommerce_get_refreshed_fragments' })
    expect(asked.text).toContain('/de/shop/')
    expect((await get('/de/wp-json/wc-ppcp/v1/nothing')).text).toContain('rest_no_route')
  })

  it('sends the wallet’s visitor back into the language, and the provider itself to the bare address', async () => {
    const orders: { returnUrl: string; cancelUrl: string }[] = []
    const { createOrder } = shop.shop.application.tools.paypal ?? {}
    if (!createOrder || !shop.shop.application.tools.paypal) throw new Error('no wallet')
    vi.spyOn(shop.shop.application.tools.paypal, 'createOrder').mockImplementation((body, options) => {
      const context = Object.values(body.payment_source ?? {})[0]?.experience_context
      orders.push({ returnUrl: context?.return_url ?? '', cancelUrl: context?.cancel_url ?? '' })
      return createOrder(body, options)
    })
    const jar = await form('/de/?wc-ajax=add_to_cart', { product_id: String(await shop.idOf('MUG')), quantity: '1' })
    const cookie = jar.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const started = await form('/de/kasse/wallet-start/', {}, { cookie })
    expect(started.status).toBe(303)
    expect(orders).toEqual([
      { returnUrl: `${shop.url}/de/kasse/wallet-return/`, cancelUrl: `${shop.url}/de/kasse/wallet-cancel/` },
    ])
    expect(await leadsTo('/de/kasse/wallet-cancel/?token=1', { headers: { cookie } })).toBe('303 /de/warenkorb/')
    vi.restoreAllMocks()
  })
})

describe('what search engines and other programs read', () => {
  const links = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"\/>/g)].map(
        ([, tag = '', to = '']) => [tag, to] as const,
      ),
    )

  it('TRN-08 every language of a page names all the others and itself, at addresses that are there', async () => {
    const mug = await get('/product/plain-mug/')
    const named = links(mug.text)
    expect(named).toEqual({
      'en-US': `${shop.url}/product/plain-mug/`,
      en: `${shop.url}/product/plain-mug/`,
      'de-DE': `${shop.url}/de/produkt/becher/`,
      de: `${shop.url}/de/produkt/becher/`,
      'de-AT': `${shop.url}/at/product/plain-mug/`,
      ar: `${shop.url}/ar/${encodeURIComponent('منتج')}/${encodeURIComponent('كوب')}/`,
      'x-default': `${shop.url}/product/plain-mug/`,
    })
    for (const [tag, address] of Object.entries(named)) {
      const there = await get(address.slice(shop.url.length))
      expect([tag, there.status]).toEqual([tag, 200])
      expect(links(there.text)).toEqual(named)
      expect(there.text).toContain(`<link rel="canonical" href="${address}"/>`)
      expect(there.text).toContain(`<meta property="og:url" content="${address}"/>`)
    }
    const german = await get('/de/produkt/becher/')
    expect(german.text).toContain('<meta property="og:locale" content="de_DE"/>')
    expect(german.text).toContain('<meta property="og:locale:alternate" content="en_US"/>')
    expect(german.text).toContain(`"url":"${shop.url}/de/produkt/becher/"`)
    expect((await get('/de/')).text).toContain('"inLanguage":"de-DE"')
  })

  it('names no other language of a page that is one visitor’s, a search, or written in one language alone', async () => {
    for (const path of ['/de/warenkorb/', '/de/konto/', '/de/?s=mug&post_type=product', '/de/nichts/']) {
      expect([path, links((await get(path, { headers: { accept: 'text/html' } })).text)]).toEqual([path, {}])
    }
  })

  it('lists every published language in site maps, each with the others', async () => {
    const index = (await get('/sitemap.xml')).text
    for (const name of ['pages', 'de-pages', 'at-products-0', 'ar-categories']) {
      expect(index).toContain(`<loc>${shop.url}/sitemap-${name}.xml</loc>`)
    }
    expect(index).not.toContain('sitemap-it-')
    const part = await get('/sitemap-de-products-0.xml')
    expect(part.headers.get('content-type')).toContain('application/xml')
    expect(part.text).toContain(`<loc>${shop.url}/de/produkt/becher/</loc>`)
    expect(part.text).toContain(`hreflang="de-AT" href="${shop.url}/at/product/plain-mug/"/>`)
    expect(part.text).toContain(`hreflang="x-default" href="${shop.url}/product/plain-mug/"/>`)
    expect((await get('/sitemap-categories.xml')).text).toContain(
      `<loc>${shop.url}/product-category/kitchen/cups/</loc>`,
    )
    for (const name of ['it-pages', 'xx-pages', 'de-nothing']) {
      expect((await get(`/sitemap-${name}.xml`)).status).toBe(404)
    }
  })

  it('gives each language a feed and a manifest of its own', async () => {
    const feed = (await get('/de/feed/')).text
    expect(feed).toContain('xml:lang="de-DE"')
    expect(feed).toContain(`<link href="${shop.url}/de/produkt/becher/"/>`)
    expect(feed).toContain(`<link rel="self" href="${shop.url}/de/feed/"/>`)
    expect(JSON.parse((await get('/ar/site.webmanifest')).text)).toMatchObject({
      lang: 'ar',
      dir: 'rtl',
      start_url: '/ar/',
      scope: '/',
    })
    const robots = (await get('/robots.txt')).text
    expect(robots).toContain('Disallow: /de/konto/')
    expect(robots).toContain('Disallow: /my-account/')
    const rules = JSON.parse((await get('/speculation-rules.json')).text)
    expect(JSON.stringify(rules)).toContain('/de/produkt/*')
  })
})

describe('the cache of pages', () => {
  it('holds each language at its own address, and serves none for another', async () => {
    const { pageCache } = shop.shop.application
    const encoded = `/de/produkt/${encodeURIComponent('schüssel')}/`
    for (const path of [
      '/shop/',
      '/de/shop/',
      '/ar/shop/',
      '/de/produkt/becher/',
      encoded,
      '/de/?s=mug&post_type=product',
    ]) {
      const first = await get(path)
      expect([path, first.status, pageCache.get(path) !== undefined]).toEqual([path, 200, true])
      const again = await get(path)
      expect(again.text).toBe(first.text)
      const etag = first.headers.get('etag') ?? ''
      expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
      const head = await get(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-language')]).toEqual([200, first.headers.get('content-language')])
      for (const other of ['/shop/', '/de/shop/', '/ar/shop/'].filter((one) => one !== path)) {
        expect((await get(other, { headers: { 'if-none-match': etag } })).status).toBe(200)
      }
    }
    expect(pageCache.get('/de/product/plain-mug/')).toBeUndefined()
  })
})
