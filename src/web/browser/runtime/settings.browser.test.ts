import { expect, it } from 'vitest'
import { cartAnswer, listing, socks } from '#tests/support/browser-modules/cart-markup.ts'
import { pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { addJQuery, aScene, eventually } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

it('settings become globals under their names, and no other global can be reached through them', async () => {
  const { shop, page, errors } = scene
  const html = pageHtml({ body: '<p>Content</p>' }).replace(
    '{"wc_add_to_cart_params"',
    '{"__proto__":{"polluted":"yes"},"constructor":{"x":"1"},"location":{"x":"1"},"wcPPCPSettings":{"generalData":{"clientId":""}},"wc_add_to_cart_params"',
  )
  shop.page('/page/', html)
  await page.goto(`${shop.url}/page/`)
  await page.waitForSelector('body.woocommerce-js')
  const seen = await page.evaluate(() => ({
    cartUrl: Reflect.get(window, 'wc_add_to_cart_params').cart_url,
    payments: Reflect.get(window, 'wcPPCPSettings'),
    polluted: Reflect.get(window, 'polluted'),
    place: location.pathname,
  }))
  expect(seen).toEqual({
    cartUrl: '/cart/',
    payments: { generalData: { clientId: '' } },
    polluted: undefined,
    place: '/page/',
  })
  expect(errors).toEqual([])
})

it('jQuery that is put in long after the page has loaded is heard at once', async () => {
  const { shop, page, open, errors } = scene
  shop.on('get_refreshed_fragments', () => cartAnswer([socks]))
  await open({ body: listing([41]) })
  await page.waitForLoadState('load')
  await addJQuery(page)
  await page.evaluate(() => Reflect.get(window, 'jQuery')(document.body).trigger('wc_fragment_refresh'))
  await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
  expect(errors).toEqual([])
})

it('jQuery that arrives after our own script is spoken to from then on', async () => {
  const { shop, page, open, errors } = scene
  shop.on('get_refreshed_fragments', () => cartAnswer([socks]))
  await open({ body: `${listing([41])}<script src="/assets/fake-jquery.js" defer></script>` })
  await page.waitForLoadState('load')
  await page.evaluate(() => Reflect.get(window, 'jQuery')(document.body).trigger('wc_fragment_refresh'))
  await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
  expect(errors).toEqual([])
})
