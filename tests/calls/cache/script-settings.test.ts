import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { languages: [{ tag: 'de-DE' }] } })
})
afterAll(() => shop.close())

type Printed = Record<string, Record<string, unknown>>

async function printed(path: string, cookie = ''): Promise<Printed> {
  const page = await (await fetch(shop.url + path, { headers: cookie ? { cookie } : {} })).text()
  return JSON.parse(/id="vitrine-settings">([^<]*)</.exec(page)?.[1] ?? '{}')
}

let nr = 0
/** One that no page has been kept of. */
const fresh = (path: string) => `${path}?fresh=${++nr}`

describe('what pages for everybody tell scripts', () => {
  it('is the same on each page of a kind, and other on pages of another kind, language and visitor', async () => {
    for (let round = 0; round < 2; round += 1) {
      const listing = await printed(fresh('/shop/'))
      expect(listing.wc_add_to_cart_params).toMatchObject({ is_cart: '', i18n_view_cart: 'View cart' })
      expect(listing.wc_add_to_cart_variation_params).toBeUndefined()
      expect(listing).toEqual(await printed(fresh('/shop/')))
      const product = await printed(fresh('/product/plain-mug/'))
      expect(product.wc_add_to_cart_variation_params).toBeDefined()
      const german = await printed(fresh('/de/shop/'))
      expect(german.wc_add_to_cart_params).toMatchObject({ i18n_view_cart: 'Warenkorb ansehen' })
      expect(german.trp_data).toBeDefined()
      expect(listing.trp_data).toBeUndefined()
    }
  })

  it('holds nothing of a visitor whose page was asked for before', async () => {
    const added = await fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
      method: 'POST',
      body: new URLSearchParams({ product_id: String(await shop.idOf('MUG')), quantity: '1' }),
    })
    const cookie = added.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const own = await printed('/cart/', cookie)
    const nonce = String(own.wc_cart_params?.apply_coupon_nonce)
    expect(nonce).toMatch(/^[0-9a-f]{10}$/)
    for (const path of ['/shop/', '/product/plain-mug/', '/']) {
      const page = await printed(fresh(path), cookie)
      expect(JSON.stringify(page)).not.toContain(nonce)
      expect(page.wc_cart_params).toBeUndefined()
    }
  })

  it('MSG-01 holds what products cost where instalments are told of in a listing, and nowhere else', async () => {
    const listed = async () => {
      const { wcPPCPSettings = {} } = await printed(fresh('/shop/'))
      const { shop: told } = wcPPCPSettings.payLaterMessage as { shop: { enabled: boolean; products: unknown[] } }
      return [told.enabled, told.products.length > 0]
    }
    const paypal = { sections: ['minicart'] }
    await writeSettings(shop.db, { paypal })
    await expect.poll(async () => (await printed(fresh('/shop/'))).wcPPCPSettings).toBeDefined()
    expect(await listed()).toEqual([false, false])
    await writeSettings(shop.db, { paypal: { ...paypal, messages: { shop: { enabled: true } } } })
    await expect.poll(listed).toEqual([true, true])
  })

  it('follows the settings', async () => {
    const before = await printed(fresh('/shop/'))
    expect(before.wc_add_to_cart_params).toMatchObject({ cart_redirect_after_add: 'no' })
    await writeSettings(shop.db, { redirectAfterAdd: true })
    await expect
      .poll(async () => (await printed(fresh('/shop/'))).wc_add_to_cart_params?.cart_redirect_after_add)
      .toBe('yes')
  })
})
