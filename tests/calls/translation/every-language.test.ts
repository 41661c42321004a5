import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { select, theOne } from '#tests/support/shared/rendered-markup.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import {
  bracketed,
  demoInLanguages,
  demoLanguages,
  translateInBrackets,
} from '#tests/support/translation/demo-languages.ts'
import { outside, unbracketed } from '#tests/support/translation/untranslated-texts.ts'

let shop: TestShop
let customer: Customer
let orderPath = ''
beforeAll(async () => {
  shop = await aShop({ fill: demoInLanguages })
  await translateInBrackets(shop)
  customer = aCustomer(shop, 'grace@example.test')
  await customer.register()
  await customer.add('DRIFT-OAT')
  orderPath = await order()
  await customer.add('DRIFT-OAT')
  await customer.add('TIDAL-VASE-MOSS')
}, 120_000)
afterAll(() => shop.close())

const address = {
  first_name: 'Grace',
  last_name: 'Hill',
  country: 'US',
  address_1: '1 Pine Road',
  city: 'Oakland',
  state: 'CA',
  postcode: '94601',
  phone: '5105550100',
}

/** @returns the path of the page that thanks for it */
async function order(): Promise<string> {
  // In that language: an order keeps the words in which it was placed.
  const checkout = await customer.page(`/${bracketed.slug}/checkout/`)
  const nonces = [...checkout.matchAll(/name="([\w-]+nonce)" value="([0-9a-f]{10})"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const response = await customer.post(`/${bracketed.slug}/?wc-ajax=checkout`, {
    ...Object.fromEntries(Object.entries(address).map(([key, value]) => [`billing_${key}`, value])),
    billing_email: customer.email,
    payment_method: 'cod',
    terms: '1',
    'terms-field': '1',
    ...Object.fromEntries(nonces),
  })
  const { redirect = '', messages } = (await response.json()) as { redirect?: string; messages?: string }
  if (!redirect) throw new Error(`the order was refused: ${messages}`)
  const { pathname, search } = new URL(redirect, shop.url)
  return pathname.replace(`/${bracketed.slug}/`, '/') + search
}

/** Of everybody, and of one customer. */
const everybodys = [
  '/',
  '/shop/',
  '/shop/page/2/',
  '/product-category/kitchen/',
  '/product/tidal-vase/',
  '/about/',
  '/terms/',
]
const searches = [
  '/?s=vase&post_type=product',
  '/?s=xylophone&post_type=product',
  '/no-such-page/',
  '/shop/?min_price=20&filter_color=moss',
]
const own = [
  '/cart/',
  '/checkout/',
  '/my-account/',
  '/my-account/orders/',
  '/my-account/downloads/',
  '/my-account/edit-address/',
  '/my-account/edit-address/billing/',
  '/my-account/edit-account/',
  '/my-account/payment-methods/',
  '/my-account/add-payment-method/',
  '/my-account/privacy/',
]
const strangers = ['/my-account/', '/my-account/lost-password/', '/cart/', '/checkout/']

const read = async (path: string) => (await fetch(shop.url + path, { headers: { accept: 'text/html' } })).text()

describe.each([...demoLanguages, bracketed])('the shop in $tag', ({ tag }) => {
  it('TRN-01 TRN-08 has every page, in its language, its direction, and with the same page in all others', async () => {
    const paths = await Promise.all(everybodys.map((path) => addressIn(path, tag)))
    for (const [index, path] of paths.entries()) {
      const response = await fetch(shop.url + path, { redirect: 'manual' })
      expect([path, response.status]).toEqual([path, 200])
      const html = await response.text()
      expect(html.slice(0, 90)).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`)
      const here = alternates(html)
      if (here.has(tag)) {
        expect(here.get(tag)).toBe(shop.url + path)
        expect(theOne(html, 'link[rel=canonical]').attributes.href).toBe(shop.url + path)
        // Each of the others says the same of itself and of this one.
        expect(alternates(await read(everybodys[index] ?? ''))).toEqual(here)
      }
    }
    for (const path of own) {
      const html = await customer.page(await addressIn(path, tag))
      expect(html.slice(0, 90), path).toContain(`<html lang="${tag}"`)
    }
  }, 60_000)
})

const alternates = (html: string) =>
  new Map(
    select(html, 'link[rel=alternate]').flatMap(({ attributes: { hreflang, href } }) =>
      hreflang ? [[hreflang, href]] : [],
    ) as [string, string][],
  )

async function addressIn(path: string, tag: string): Promise<string> {
  const html = await customer.page(path)
  const [link] = select(html, `a[hreflang=${tag}]`)
  return link?.attributes.href ?? ''
}

/** The shop's own name, also behind a title; measures; what pages of text, which are files, say of themselves. */
const isData =
  /^(?:(?:⟦.*⟧ – )?Fogline|[\d.]+ kg|[\d× .]+ cm)$|^(?:About Fogline|Shipping and returns|Contact|Terms and conditions|Privacy policy|Accessibility)(?: – Fogline)?$|^A small shop on Shotwell|^The rules that a purchase/

describe('a language in which every text is in brackets', () => {
  const ours = (path: string) => `/${bracketed.slug}${path}`

  it('TRN-01 leaves no text of a page outside of them', async () => {
    const found: string[] = []
    const note = (path: string, html: string) =>
      found.push(
        ...unbracketed(html)
          .filter((fault) => !isData.test(fault.replace(/^[^:]*(?::\w+)*: /, '')))
          .map((fault) => `${path} ${fault}`),
      )
    for (const path of [...everybodys, ...searches, ...strangers]) note(path, await read(ours(path)))
    for (const path of [
      ...own,
      orderPath,
      orderPath.replace(/^\/checkout\/order-received\/(\d+).*/, '/my-account/view-order/$1/'),
    ]) {
      note(`own ${path}`, await customer.page(ours(path)))
    }
    expect(found).toEqual([])
  }, 60_000)

  it('TRN-01 leaves no text of what scripts are given outside of them', async () => {
    const found: string[] = []
    const walk = (value: unknown, where: string): void => {
      // Selectors of the elements that are translated as they come.
      if (where.endsWith('.trp_data')) return
      // Names of places, as in the lists that they are chosen from.
      if (where.endsWith('.wc_country_select_params.countries')) return
      if (typeof value === 'string' && /^\{".*\}$/s.test(value)) walk(JSON.parse(value), where)
      else if (typeof value === 'string') {
        if (value.includes('<')) found.push(...unbracketed(value).map((fault) => `${where} ${fault}`))
        // A sentence, or a word that begins like one; codes, addresses and class names are neither.
        else if (/^\p{Lu}?\p{Ll}+ \p{L}+|^\p{Lu}\p{Ll}+$/u.test(outside(value).trim())) found.push(`${where}: ${value}`)
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? where : `${where}.${key}`)
      }
    }
    for (const path of ['/product/tidal-vase/', '/cart/', '/checkout/', '/my-account/edit-address/billing/']) {
      const html = await customer.page(ours(path))
      const settings = /<script type="application\/json" id="vitrine-settings">(.*?)<\/script>/s.exec(html)?.[1]
      walk(JSON.parse(settings ?? '{}'), path)
    }
    const post = async (endpoint: string, fields: Record<string, string>) => {
      const text = await (await customer.post(ours(`/?wc-ajax=${endpoint}`), fields)).text()
      walk(text.startsWith('{') ? JSON.parse(text) : text, endpoint)
    }
    const product = String(await shop.idOf('TIDAL-VASE-MOSS'))
    await post('get_refreshed_fragments', {})
    await post('add_to_cart', { product_id: product, quantity: '1' })
    await post('apply_coupon', { coupon_code: 'no such', security: customer.nonce('apply-coupon') })
    await post('update_order_review', { security: customer.nonce('update-order-review'), payment_method: 'cod' })
    await post('checkout', { payment_method: 'cod' })
    expect([...new Set(found)]).toEqual([])
  }, 60_000)
})
