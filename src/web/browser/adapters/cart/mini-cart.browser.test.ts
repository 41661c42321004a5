import { describe, expect, it } from 'vitest'
import { passTime } from '#tests/support/browser/page-time.ts'
import { cartAnswer, hat, listing, miniCart, socks } from '#tests/support/browser-modules/cart-markup.ts'
import { aScene, eventually, heard, listenFor } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('the mini cart, %s', (_, jQuery) => {
  const remove = (name: string) => scene.page.getByRole('button', { name: `Remove ${name}` })

  it('MINI-02 removing posts the key under a blocking overlay, then replaces the fragments', async () => {
    const { shop, page, open, errors } = scene
    let release = () => {}
    shop.on('remove_from_cart', async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return cartAnswer([hat])
    })
    await open({ body: listing([], [socks, hat]), jQuery })
    await listenFor(page, ['removed_from_cart', 'wc_fragments_loaded'])
    await remove('Socks').click()
    await page.waitForSelector('.mini_cart_item[aria-busy=true] > .blockUI.blockOverlay')
    await eventually(() => shop.calls('remove_from_cart').length).toBe(1)
    expect(Object.fromEntries(shop.calls('remove_from_cart')[0]?.body ?? [])).toEqual({ cart_item_key: 'k-socks' })
    release()
    await eventually(() => page.locator('.mini_cart_item').allTextContents()).toEqual(['× Hat'])
    await eventually(() => page.locator('.cart-count').textContent()).toBe('1')
    const [removed, loaded] = await heard(page)
    expect([removed?.[0], removed?.[2], removed?.[3], loaded?.[0]]).toEqual([
      'removed_from_cart',
      'hash1',
      '<a>',
      'wc_fragments_loaded',
    ])
    await eventually(() => page.locator('.widget_shopping_cart_live_region').textContent()).toBe(
      'Socks has been removed',
    )
    await eventually(() => page.locator('.blockUI').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('MINI-02 a keyboard user stays in the list', async () => {
    const { shop, page, open } = scene
    shop.on('remove_from_cart', () => cartAnswer([hat]))
    await open({ body: listing([], [socks, hat]), jQuery })
    await remove('Socks').focus()
    await page.keyboard.press('Space')
    await eventually(() => remove('Hat').evaluate((it) => document.activeElement === it)).toBe(true)
  })

  it.each([
    ['is cut off', { hangUp: true }],
    ['fails', { status: 500, body: 'no' }],
    ['brings no fragments', { json: { success: false } }],
  ])('MINI-03 a removal that %s follows the remove link', async (_, reply) => {
    const { shop, page, open } = scene
    shop.page('/cart/', '<!doctype html><title>Cart</title>')
    shop.on('remove_from_cart', () => reply)
    await open({ body: listing([], [socks]), jQuery })
    await remove('Socks').click()
    await page.waitForURL('**/cart/?remove_item=k-socks')
  })

  it('a widget that hides when empty shows from the first add on', async () => {
    const { shop, page, open } = scene
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const widget = `<aside class="widget_shopping_cart">Side <div class="hide_cart_widget_if_empty">${miniCart([])}</div></aside>`
    await open({ body: widget + listing([41]), jQuery })
    expect(await page.locator('aside').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Add 41' }).click()
    await eventually(() => page.locator('aside').isVisible()).toBe(true)
  })
})

describe('the drawer', () => {
  const body = `<a href="/cart/" class="cart-contents" aria-controls="mini-cart" data-toggle-target="#mini-cart" data-set-focus="#mini-cart .drawer-close">Cart</a>
    <div id="mini-cart" role="dialog" aria-label="Cart" tabindex="-1" hidden><button class="drawer-close" aria-label="Close cart" data-toggle-target="#mini-cart">×</button></div>`

  it('opens from its link, takes the focus, closes by Escape and gives the focus back', async () => {
    const { page, open } = scene
    await open({ body })
    const link = page.getByRole('link', { name: 'Cart' })
    const drawer = page.locator('#mini-cart')
    expect(await link.getAttribute('aria-expanded')).toBe('false')
    await link.click()
    await eventually(() => drawer.getAttribute('class')).toBe('show-drawer active pop-animated')
    expect(await link.getAttribute('aria-expanded')).toBe('true')
    expect(await page.getByRole('button', { name: 'Close cart' }).evaluate((it) => document.activeElement === it)).toBe(
      true,
    )
    await page.keyboard.press('Escape')
    await eventually(() => drawer.isVisible()).toBe(false)
    expect(await link.evaluate((it) => document.activeElement === it)).toBe(true)
    expect(await drawer.getAttribute('class')).toBe('')
  })

  it('ends as the last of many quick presses says', async () => {
    const { page, open } = scene
    await page.clock.install()
    await open({ body })
    const link = page.getByRole('link', { name: 'Cart' })
    await link.evaluate((it: HTMLElement) => {
      for (let press = 0; press < 21; press += 1) it.click()
    })
    const classes = () => page.locator('#mini-cart').getAttribute('class')
    await eventually(classes).toBe('show-drawer active pop-animated')
    await passTime(page, 1000)
    expect(await classes()).toBe('show-drawer active pop-animated')
    await link.click()
    await eventually(() => page.locator('#mini-cart').isVisible()).toBe(false)
  })
})
