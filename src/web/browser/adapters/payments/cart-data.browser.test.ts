import { describe, expect, it } from 'vitest'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { aScene, eventually, heard, listenFor } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()
const route = '/wp-json/wc-ppcp/v1/cart/refresh'
const cartOf = (total: string, over = {}) => ({
  total,
  totalCents: Math.round(Number(total) * 100),
  currency: 'USD',
  needsShipping: true,
  isEmpty: false,
  countryCode: 'US',
  ...over,
})
const payments = (cart: object | undefined = cartOf('10.00')) => ({
  wcPPCPSettings: {
    generalData: { clientId: 'sb', page: 'cart', restRoutes: { 'cart/refresh': { url: route } }, ajaxRestPath: '' },
    queryParams: { currency: 'USD' },
    ...(cart ? { cart } : {}),
  },
})
const body = '<div class="woocommerce-notices-wrapper"></div><p>Cart</p>'
const refreshes = () => scene.shop.seen.filter(({ path }) => path === route)
const fire = (name: string) =>
  scene.page.evaluate((name) => document.body.dispatchEvent(new CustomEvent(name, { bubbles: true })), name)
const open = async (settings: Record<string, unknown> = payments()) => {
  await scene.open({ body, bodyClass: 'woocommerce-cart', settings })
  await scene.page.waitForLoadState('networkidle')
}
const answer = (total: string, over = {}) => ({
  json: { cart: cartOf(total, over), queryParams: { currency: 'EUR' }, nonce: 'n' },
})

describe('the cart that the payment code knows', () => {
  it.each(['updated_wc_div', 'updated_checkout', 'wc_fragments_refreshed'])(
    'CART-11 CART-12 is read again after %s, and listeners are told',
    async (event) => {
      scene.shop.at(route, () => answer('25.50', { needsShipping: false }))
      // An empty fragment response: the refetch that updated_wc_div triggers must not count here.
      scene.shop.on('get_refreshed_fragments', () => ({ status: 500 }))
      await open()
      await listenFor(scene.page, ['wc_ppcp_cart_data'])
      await fire(event)
      await eventually(() => heard(scene.page)).toEqual([
        [
          'wc_ppcp_cart_data',
          { ...cartOf('25.50', { needsShipping: false }), queryParams: { currency: 'EUR' }, page: 'cart' },
        ],
      ])
      expect(refreshes().map(({ method }) => method)).toEqual(['POST'])
      const kept = await scene.page.evaluate(() => Reflect.get(window, 'wcPPCPSettings').cart.total)
      expect(kept).toBe('25.50')
    },
  )

  it('CART-10 is read once while a reading runs', async () => {
    let release = () => {}
    scene.shop.at(route, async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return answer('11.00')
    })
    await open()
    await fire('updated_checkout')
    await eventually(() => refreshes().length).toBe(1)
    await fire('updated_checkout')
    await fire('updated_checkout')
    await settled(scene.page)
    expect(refreshes()).toHaveLength(1)
    await listenFor(scene.page, ['wc_ppcp_cart_data'])
    release()
    await eventually(async () => (await heard(scene.page)).length).toBe(1)
    await fire('updated_checkout')
    await eventually(() => refreshes().length).toBe(2)
    release()
  })

  it.each([
    ['is cut off', { hangUp: true }],
    ['fails', { status: 500, body: 'no' }],
    ['holds no cart', { json: { nonce: 'n' } }],
  ])('CART-10 a reading that %s is logged only, and the next one goes out', async (_, reply) => {
    scene.shop.at(route, () => reply)
    await open()
    await listenFor(scene.page, ['wc_ppcp_cart_data'])
    await fire('updated_checkout')
    await eventually(() => scene.errors.filter((text) => text.includes('could not be read again')).length).toBe(1)
    expect(await scene.page.locator('.woocommerce-error').count()).toBe(0)
    expect(await scene.page.evaluate(() => Reflect.get(window, 'wcPPCPSettings').cart.total)).toBe('10.00')
    scene.shop.at(route, () => answer('12.00'))
    await fire('updated_checkout')
    await eventually(async () => (await heard(scene.page)).length).toBe(1)
  })

  it('CART-11 nothing is asked where no payment module is', async () => {
    await scene.page.clock.install()
    await open({})
    await fire('updated_checkout')
    await passTime(scene.page, 1000)
    expect(refreshes()).toEqual([])
  })
})
