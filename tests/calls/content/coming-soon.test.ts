import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { customerBy, setRole } from '#shop/customers/manage-customers.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { comingSoon: true } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
})

const html = { headers: { accept: 'text/html' } }
const closed = 'coming-soon-page'
const banner = 'id="coming-soon-footer-banner"'

let count = 0
/** Somebody with an account, and a role, who has just logged in. */
async function somebody(role: 'customer' | 'shop_manager'): Promise<Customer & { id: number }> {
  count += 1
  const person = aCustomer(shop, `person${count}@example.test`)
  await person.register()
  const { tools } = shop.shop.application
  const { id } = (await customerBy(tools, person.email)) ?? { id: 0 }
  if (role === 'customer') return Object.assign(person, { id })
  // A new role ends every login.
  await setRole(tools, id, role)
  const manager = aCustomer(shop, person.email)
  await manager.logIn()
  return Object.assign(manager, { id })
}

function dismiss(person: Customer, id: number, nonce: string): Promise<Response> {
  return person.send(urls.restUser(id), {
    method: 'POST',
    body: new URLSearchParams({ 'woocommerce_meta[coming_soon_banner_dismissed]': 'yes' }),
    headers: nonce ? { 'x-wp-nonce': nonce } : {},
  })
}

describe('a shop that is not open yet', () => {
  it('STORE-02 tells visitors so at every address, and keeps that to itself', async () => {
    const guest = aGuest(shop)
    for (const path of ['/', '/shop/', '/product/plain-mug/', '/cart/', '/checkout/', '/nowhere/', '/?s=mug']) {
      const response = await guest.send(path, html)
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'private, no-store'])
      expect(response.headers.get('x-robots-tag')).toBe('noindex')
      const page = await response.text()
      expect([path, page.includes(closed), page.includes('Plain mug')]).toEqual([path, true, false])
      expect(page).toContain('<meta name="robots" content="noindex"')
    }
    expect((await guest.post('/product/plain-mug/', { 'add-to-cart': '1' })).status).toBe(303)
    expect((await guest.send('/sitemap.xml')).status).toBe(404)
  })

  it('STORE-02 sells nothing past its pages', async () => {
    const guest = aGuest(shop)
    const product_id = String(await shop.idOf('MUG'))
    const added = await guest.post(urls.wcAjax('add_to_cart'), { product_id })
    expect([added.status, await added.text()]).toEqual([403, 'The shop is not open yet.'])
    await guest.send(`/?add-to-cart=${product_id}`, html)
    expect([...guest.cookies.keys()]).not.toContain('woocommerce_items_in_cart')
  })

  it('STORE-02 leaves in reach who it is, the way in, and what payments come back to', async () => {
    const guest = aGuest(shop)
    for (const path of ['/terms/', '/privacy-policy/', '/contact/', '/my-account/']) {
      const page = await (await guest.send(path, html)).text()
      expect([path, page.includes(closed), page.includes('class="site-nav"')]).toEqual([path, false, false])
    }
    const statusOf = async (path: string, method = 'GET') => (await guest.send(path, { method })).status
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/favicon.svg')).toBe(200)
    // The provider is heard, and refused for its signature alone.
    expect(await statusOf(urls.paypalWebhook(), 'POST')).not.toBe(200)
    expect(await (await guest.send(urls.paypalWebhook(), { method: 'POST', body: '{}' })).text()).not.toContain(closed)
    expect(await (await guest.send('/checkout/wallet-cancel/', html)).text()).not.toContain(closed)
  })

  it('STORE-02 is open to its staff, whose pages nobody else is given, nor they those of others', async () => {
    const manager = await somebody('shop_manager')
    const guest = aGuest(shop)
    for (const path of ['/', '/shop/', '/terms/']) {
      await guest.send(path, html)
      const seen = await manager.send(path, html)
      expect([path, seen.headers.get('cache-control')]).toEqual([path, 'private, no-store'])
      const page = await seen.text()
      expect([path, page.includes(banner), page.includes(closed)]).toEqual([path, true, false])
      const after = await (await guest.send(path, html)).text()
      expect([path, after.includes(banner), after.includes('data-rest-nonce')]).toEqual([path, false, false])
    }
    const suggestions = await manager.send('/search-suggestions/?term=mug', html)
    expect(suggestions.headers.get('cache-control')).toBe('private, no-cache')
    expect(await suggestions.text()).toContain('Plain mug')
    await manager.add('MUG')
    expect(await manager.cart()).toEqual(['1 Plain mug'])
    const customer = await somebody('customer')
    expect(await customer.page('/shop/')).toContain(closed)
  })

  it('STORE-02 the banner goes by a call with a good nonce, for that one alone, until the next login', async () => {
    const manager = await somebody('shop_manager')
    const other = await somebody('shop_manager')
    const page = await manager.page('/shop/')
    const [, address, nonce = ''] = /data-rest-url="([^"]+)" data-rest-nonce="([0-9a-f]{10})"/.exec(page) ?? []
    expect(address).toBe(urls.restUser(manager.id))

    for (const wrong of ['', '0123456789']) {
      const refused = await dismiss(manager, manager.id, wrong)
      expect([refused.status, (await refused.json()).code]).toEqual([403, 'rest_cookie_invalid_nonce'])
    }
    // The one has a good nonce and is not asked about the other.
    const foreign = await dismiss(manager, other.id, nonce)
    expect([foreign.status, (await foreign.json()).code]).toEqual([403, 'rest_cannot_edit'])
    const customer = await somebody('customer')
    expect((await dismiss(customer, customer.id, customer.nonce('wp_rest'))).status).toBe(403)
    expect(await manager.page('/shop/')).toContain(banner)

    const heard = await dismiss(manager, manager.id, nonce)
    expect([heard.status, await heard.json()]).toEqual([
      200,
      expect.objectContaining({ id: manager.id, woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } }),
    ])
    expect(await manager.page('/shop/')).not.toContain(banner)
    expect(await other.page('/shop/')).toContain(banner)
    await manager.logOut()
    await manager.logIn()
    expect(await manager.page('/shop/')).toContain(banner)
  })

  it('opens at once when it is told to, and shows nothing of before', async () => {
    await writeSettings(shop.db, { comingSoon: false })
    const guest = aGuest(shop)
    const opened = async () => !(await (await guest.send('/shop/', html)).text()).includes(closed)
    await expect.poll(opened, { timeout: 15_000 }).toBe(true)
    const response = await guest.send('/shop/', html)
    expect(response.headers.get('cache-control')).toMatch(/^public/)
    await guest.add('MUG')
  })
})
