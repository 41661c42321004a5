import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ordersCommand } from '#cli/orders/orders.ts'
import { urls } from '#contract/shared/urls.ts'
import { mailTo } from '#tests/support/customers/customer.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { say } from '#tests/support/translation/add-translations.ts'

/** A page shows a saved translation within a second, on a machine that has nothing else to do. */
const patience = { timeout: 15_000, interval: 100 }

let shop: TestShop
let pages: string
beforeAll(async () => {
  pages = await mkdtemp(join(tmpdir(), 'translated-pages-'))
  await writeFile(join(pages, 'about.md'), '---\ntitle: About us\nmenu: footer\n---\nWe make mugs.\n')
  await writeFile(join(pages, 'about.de.md'), '---\ntitle: Über uns\n---\nWir machen Becher.\n')
  await writeFile(join(pages, 'terms.md'), '---\ntitle: Terms\nmenu: footer\n---\nRead them.\n')
  shop = await aShop({
    contentFolder: pages,
    settings: {
      languages: [{ tag: 'de-DE' }, { tag: 'ar' }],
      tagline: 'Mugs for every day',
      storeNotice: { enabled: true, text: 'Closed on Monday.' },
      payments: { cod: { title: 'Pay the courier', description: 'In cash.', instructions: 'Have change at hand.' } },
      fees: [{ name: 'Wrapping', amount: '1.00', when: {} }],
      home: {
        sections: [
          { kind: 'hero', title: 'Made by hand', link: { text: 'See them', url: '/shop/' } },
          { kind: 'text', markdown: 'From **our** workshop.' },
          { kind: 'text', page: 'terms' },
          { kind: 'text', page: 'about' },
        ],
      },
      mail: {
        from: 'shop@example.test',
        messages: { customer_processing_order: { additional: 'Thanks for {order_number}!' } },
      },
    },
  })
  await say(shop, 'de-DE', german)
  await say(shop, 'ar', {
    'Plain mug': 'كوب بسيط',
    Kitchen: 'مطبخ',
    'Pay the courier': 'الدفع للساعي',
    Standard: 'عادي',
  })
  await vi.waitFor(async () => {
    expect(await page('/de/')).toContain('Von Hand gemacht')
    expect(await page('/ar/shop/')).toContain('كوب بسيط')
  }, patience)
})
afterAll(async () => {
  await shop?.close()
  await rm(pages, { recursive: true, force: true })
})

const german = {
  'Plain mug': 'Schlichter Becher',
  'Soup bowl': 'Suppenschale',
  'Linen shirt': 'Leinenhemd',
  'Holds 300 ml.': 'Fasst 300 ml.',
  'A mug for every day.': 'Ein Becher für jeden Tag.',
  Kitchen: 'Küche',
  Cups: 'Tassen',
  clay: 'Ton',
  Colour: 'Farbe',
  Sand: 'Sandfarben',
  Sea: 'Meerblau',
  Size: 'Größe',
  'Buy from the publisher': 'Beim Verlag kaufen',
  Standard: 'Normaler Versand',
  'Sales tax': 'Umsatzsteuer',
  Wrapping: 'Verpackung',
  'Pay the courier': 'Beim Boten zahlen',
  'In cash.': 'Bar.',
  'Have change at hand.': 'Bitte passend zahlen.',
  'Mugs for every day': 'Becher für jeden Tag',
  'Closed on Monday.': 'Montags geschlossen.',
  'Made by hand': 'Von Hand gemacht',
  'See them': 'Ansehen',
  'From <strong>our</strong> workshop.': 'Aus <strong>unserer</strong> Werkstatt.',
  'Thanks for {order_number}!': 'Danke für {order_number}!',
}

const page = async (path: string) => (await fetch(shop.url + path)).text()
const settingsOf = (html: string) => /id="vitrine-settings">([^<]*)</.exec(html)?.[1] ?? ''
const json = async (path: string) => (await fetch(shop.url + path, { headers: { accept: 'application/json' } })).text()

/** A message to an address, decoded. */
async function messageTo(email: string, has: RegExp): Promise<string> {
  const written = await mailTo(shop, email, has)
  const bytes = written.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Somebody who buys in a language. */
class Abroad extends Shopper {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(path, shop.url)
    return super.request(/^\/(?:de|ar)\//.test(pathname) ? path : `/${this.#slug}${pathname}${search}`, init)
  }
  readonly #slug: string
  constructor(slug: string, name: string) {
    super({ ...shop, url: shop.url } as never, name)
    this.#slug = slug
  }
}

describe('what the merchant wrote', () => {
  it('TRN-01 is in listings, facets, titles and structured data in the language of the address', async () => {
    const listing = await page('/de/product-category/kitchen/')
    for (const text of ['Schlichter Becher', 'Suppenschale', '>Küche</h1>', 'Tassen']) {
      expect(listing).toContain(text)
    }
    expect(listing).toMatch(/<title>Küche/)
    expect(listing).toContain('"name":"Schlichter Becher"')
    expect(listing).not.toContain('Plain mug')
    const own = await page('/product-category/kitchen/')
    expect(own).toContain('Plain mug')
    expect(own).not.toContain('Becher')
    const facets = await page('/de/shop/?filter_colour=sea')
    expect(facets).toMatch(/<h2>Farbe<\/h2>/)
    expect(facets).toContain('Meerblau')
    const arabic = await page('/ar/shop/')
    expect(arabic).toContain('كوب بسيط')
    expect(arabic).toContain('Soup bowl')
  })

  it('TRN-01 is on a product’s page, with choices whose posted values stay', async () => {
    const mug = await page('/de/product/plain-mug/')
    for (const text of ['Schlichter Becher', 'Fasst 300 ml.', 'Ein Becher für jeden Tag.', '>Ton<'])
      expect(mug).toContain(text)
    expect(mug).toMatch(/<meta name="description" content="Ein Becher für jeden Tag\./)
    expect(mug).toContain('0,4 kg')
    const shirt = await page('/de/product/linen-shirt/')
    expect(shirt).toContain('Größe')
    expect(shirt).toMatch(/value="sea"[^>]*>[^<]*Meerblau|Meerblau/)
    expect(shirt).toContain('attribute_pa_colour')
    expect(shirt).not.toMatch(/value="Meerblau"/)
    expect(await page('/de/product/tea-set/')).toContain('Suppenschale')
    expect(await page('/de/product/a-book-elsewhere/')).toContain('Beim Verlag kaufen')
  })

  it('TRN-01 is on the front page, in menus and in the notice of the shop', async () => {
    const home = await page('/de/')
    for (const text of [
      'Von Hand gemacht',
      'Ansehen',
      'Aus <strong>unserer</strong> Werkstatt.',
      'Montags geschlossen.',
      'Küche',
    ])
      expect(home).toContain(text)
    expect(home).toContain('content="Becher für jeden Tag"')
    expect(home).toMatch(/home-text" lang="en-US" dir="ltr"><h2>Terms</)
    expect(home).toMatch(/home-text"><h2>Über uns</)
  })

  it('TRN-01 is in what feeds, phones and search engines are told', async () => {
    const feed = await page('/de/feed/')
    expect(feed).toContain('<subtitle>Becher für jeden Tag</subtitle>')
    expect(feed).toContain('<title>Schlichter Becher</title>')
    expect(feed).toContain('<summary>Ein Becher für jeden Tag.</summary>')
    expect(feed).not.toMatch(/Plain mug|A mug for every day/)
    expect(JSON.parse(await page('/de/site.webmanifest'))).toMatchObject({ description: 'Becher für jeden Tag' })
    expect(await page('/de/')).toContain('"description":"Becher für jeden Tag"')
    expect(await page('/feed/')).toContain('<title>Plain mug</title>')
  })

  it('TRN-08 is a page of text of its own in each language, and says so where there is none', async () => {
    const about = await page('/de/about/')
    expect(about).toContain('Wir machen Becher.')
    expect(about).not.toMatch(/<article [^>]*lang=/)
    const terms = await page('/de/terms/')
    expect(terms).toMatch(/<article [^>]*lang="en-US" dir="ltr"/)
    expect(await page('/terms/')).not.toMatch(/<article [^>]*lang=/)
    const menus = await page('/de/shop/')
    expect(menus).toContain('>Über uns<')
    expect(menus).toContain('>Terms<')
    expect(menus).not.toContain('>About us<')
  })

  it('TRN-07 stays text, whatever a translation says', async () => {
    await say(shop, 'de-DE', {
      'Gift card': '<script>alert(1)</script> $& &amp; "><img src=x onerror=x()>',
      'Last teapot': `\u202Ereverse ${'lang '.repeat(2000)}`,
      'Deep and round.': 'Tief <b>und</b> rund.',
    })
    await vi.waitFor(async () => expect(await page('/de/product/soup-bowl/')).toContain('Tief &lt;b&gt;und'), patience)
    const card = await page('/de/product/gift-card/')
    expect(card).toContain('&lt;script&gt;alert(1)&lt;/script&gt; $&amp; &amp;amp;')
    expect(card).not.toMatch(/<script>alert|<img src=x/)
    expect(settingsOf(card)).not.toContain('<script')
    const teapot = await page('/de/product/last-teapot/')
    expect(teapot).toContain('lang lang')
    expect(teapot).not.toContain('\u202E')
  })

  it('is found by its words in the language that is spoken, and by those of the merchant', async () => {
    expect(await page('/de/?s=suppenschale&post_type=product')).toContain('Suppenschale')
    expect(await page('/de/?s=Soup+bowl&post_type=product')).toContain('Suppenschale')
  })

  it('is asked for all at once, and of nobody in the merchant’s own language', async () => {
    const texts = vi.fn(async (originals: readonly string[]) => originals)
    const { readProduct } = await import('#shop/catalog/read-product.ts')
    const { tools } = shop.shop.application
    const of = (isOwn: boolean) => ({
      db: tools.db,
      settings: tools.settings,
      clock: tools.clock,
      log: tools.log,
      taxRates: tools.taxRates,
      exchange: tools.exchange,
      pageSlugs: tools.pageSlugs,
      catalogCache: tools.catalogCache,
      translator: async () => ({ ...(await tools.translator()), isOwn, texts, markup: texts }),
    })
    await readProduct(of(true), 'linen-shirt')
    expect(texts).not.toHaveBeenCalled()
    await readProduct(of(false), 'linen-shirt')
    expect(texts).toHaveBeenCalledTimes(2)
  })
})

describe('a purchase in another language', () => {
  it('TRN-11 keeps its words in cart, order and message, and the shop reads its own', async () => {
    const ada = new Abroad('de', 'greta')
    await ada.add('MUG', 2)
    const cart = await (await ada.request(urls.cart())).text()
    for (const text of ['Schlichter Becher', 'Normaler Versand', 'Verpackung', 'Zwischensumme'])
      expect(cart).toContain(text)
    expect(cart).not.toContain('Plain mug')
    await ada.openCheckout()
    const checkout = await (await ada.request(urls.checkout())).text()
    expect(checkout).toContain('Beim Boten zahlen')
    expect(checkout).toContain('Umsatzsteuer')
    const placed = await ada.placeOrder('cod')
    expect(placed.messages ?? '').toBe('')
    const id = placed.order_id ?? 0
    expect(new URL(placed.redirect ?? '', shop.url).pathname).toMatch(/^\/de\//)
    const [order] = await shop.db.sql`select language, payment_method_title from orders where id = ${id}`
    expect(order).toMatchObject({ language: 'de-DE', payment_method_title: 'Beim Boten zahlen' })
    const names = await shop.db.sql<
      { name: string }[]
    >`select name from order_items where order_id = ${id} order by position`
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Schlichter Becher', 'Normaler Versand', 'Verpackung', 'Umsatzsteuer']),
    )
    const received = await (await ada.request(placed.redirect ?? '')).text()
    expect(received).toContain('Bitte passend zahlen.')
    expect(received).toContain('Zwischensumme')

    const toCustomer = await messageTo('greta@example.test', /lang="de-DE"/)
    for (const text of ['Guten Tag Ada', 'Schlichter Becher', 'Zwischensumme', `Danke für ${id}!`, `${shop.url}/de/`])
      expect(toCustomer).toContain(text)
    const toShop = await messageTo('owner@example.test', /New order/)
    expect(toShop).toContain('Subtotal')
  })

  it('TRN-11 is told to the shop as it has named things itself, and in the customer’s words to the customer for good', async () => {
    const greta = new Abroad('de', 'grete')
    await greta.add('MUG', 1)
    await greta.add('SHIRT-SEA-M', 1)
    await greta.openCheckout()
    const { order_id: id = 0, messages } = await greta.placeOrder('cod')
    expect(messages ?? '').toBe('')
    const own = [
      ...['Plain mug × 1', 'Linen shirt – Sea, M × 1', 'SKU: SHIRT-SEA-M'],
      ...['Shipping: Standard', 'Wrapping', 'Sales tax', 'Pay the courier', 'Language of the order: German (Germany)'],
    ]
    const theirs = ['Schlichter Becher', 'Leinenhemd', 'Meerblau', 'Normaler Versand', 'Verpackung', 'Umsatzsteuer']
    const toShop = await messageTo('owner@example.test', new RegExp(`New order ${id}`))
    for (const text of own) expect(toShop).toContain(text)
    for (const text of [...theirs, 'Beim Boten zahlen']) expect(toShop).not.toContain(text)
    const toCustomer = await messageTo('grete@example.test', /lang="de-DE"/)
    for (const text of [...theirs, 'Beim Boten zahlen']) expect(toCustomer).toContain(text)
    expect(toCustomer).not.toContain('Sprache der Bestellung')

    const { out } = await runCommand(ordersCommand, shop.db, 'show', String(id))
    for (const text of ['Plain mug', 'Linen shirt – Sea, M', 'Standard', 'Wrapping', 'Sales tax'])
      expect(out).toContain(text)
    for (const text of theirs) expect(out).not.toContain(text)
    for (const name of ['Plain mug', 'Schlichter Becher']) {
      const found = await runCommand(ordersCommand, shop.db, 'list', '--search', name)
      expect(found.out, name).toContain(String(id))
    }
    const kept = await shop.db.sql`select name from order_items where order_id = ${id} order by position`
    expect(kept.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Schlichter Becher', 'Leinenhemd', 'Normaler Versand', 'Verpackung', 'Umsatzsteuer']),
    )
  })

  it('TRN-11 keeps no words twice of an order in the shop’s own language', async () => {
    const ida = new Shopper({ ...shop, url: shop.url } as never, 'ida')
    await ida.add('MUG', 1)
    await ida.openCheckout()
    const { order_id: id = 0 } = await ida.placeOrder('cod')
    const [own] = await shop.db
      .sql`select count(*)::int as count from order_items where order_id = ${id} and facts ? 'own'`
    expect([id > 0, own?.count]).toEqual([true, 0])
    expect(await messageTo('owner@example.test', new RegExp(`New order ${id}`))).not.toContain('Language of the order')
  })

  it('TRN-11 is Arabic from right to left, and falls back where the language is gone', async () => {
    const nur = new Abroad('ar', 'nur')
    await nur.add('MUG', 1)
    await nur.openCheckout()
    const placed = await nur.placeOrder('cod')
    expect(placed.messages ?? '').toBe('')
    const written = await messageTo('nur@example.test', /lang="ar"/)
    expect(written).toContain('dir="rtl"')
    expect(written).toContain('كوب بسيط')
    const { viewIn } = await import('#server/translation/stored-locale-view.ts')
    const { application } = shop.shop
    expect(viewIn(application, 'ar').language.tag).toBe('ar')
    expect(viewIn(application, 'de-AT').language.tag).toBe('de-DE')
    for (const gone of ['', 'sv-SE']) expect(viewIn(application, gone)).toBe(application)
  })

  it('answers scripts in it as well', async () => {
    const ada = new Abroad('de', 'gerda')
    const id = await shop.idOf('MUG')
    const added = await ada.post('/?wc-ajax=add_to_cart', { product_id: String(id), quantity: '1' })
    const { fragments } = (await added.json()) as { fragments: Record<string, string> }
    expect(fragments['div.widget_shopping_cart_content']).toContain('Schlichter Becher')
    expect(await json('/de/search-suggestions/?term=becher')).toContain('Schlichter Becher')
  })
})
