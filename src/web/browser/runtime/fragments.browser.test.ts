import { describe, expect, it } from 'vitest'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { cartAnswer, hat, listing, miniCart, socks } from '#tests/support/browser-modules/cart-markup.ts'
import {
  aScene,
  eventually,
  firedEventNames,
  listenFor,
  listenFromTheStart,
} from '#tests/support/browser-modules/scene.ts'

const scene = aScene()
const payments = { wcPPCPSettings: { generalData: { clientId: 'sb' } } }
const refetch = 'get_refreshed_fragments'

async function withCookies(...lines: (typeof socks)[]) {
  const { shop, page } = scene
  if (lines.length === 0) return
  await page.context().addCookies([
    { name: 'woocommerce_items_in_cart', value: '1', url: shop.url },
    { name: 'woocommerce_cart_hash', value: `hash${lines.length}`, url: shop.url },
  ])
}

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('the fragments of a page view, %s', (_, jQuery) => {
  it('are not asked for while the cart is empty', async () => {
    const { shop, page, open, errors } = scene
    await page.clock.install()
    await open({ body: listing([41]), jQuery })
    await passTime(page, 1000)
    expect(shop.calls(refetch)).toEqual([])
    expect(errors).toEqual([])
  })

  it('of an empty cart are told of as loaded, for scripts that wait for it, without a request', async () => {
    const { shop, page, open, errors } = scene
    await page.clock.install()
    await listenFromTheStart(page, ['wc_fragments_loaded', 'wc_fragments_refreshed'])
    for (const settings of [{}, payments]) {
      await open({ body: listing([41]), jQuery, settings })
      await eventually(() => firedEventNames(page)).toEqual(['wc_fragments_loaded'])
      await passTime(page, 1000)
      expect(await firedEventNames(page)).toEqual(['wc_fragments_loaded'])
      expect(shop.calls(refetch)).toEqual([])
    }
    expect(errors).toEqual([])
  })

  it('are fetched once and then come from the store while its hash is the cookie’s', async () => {
    const { shop, page, open } = scene
    shop.on(refetch, () => cartAnswer([socks]))
    await open({ body: listing([41]), jQuery })
    await withCookies(socks)
    await page.reload()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(shop.calls(refetch)[0]?.body.get('time')).toMatch(/^\d{13}$/)
    await page.reload()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(shop.calls(refetch)).toHaveLength(1)

    await withCookies(socks, hat)
    shop.on(refetch, () => cartAnswer([socks, hat]))
    await page.reload()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(2)
    expect(shop.calls(refetch)).toHaveLength(2)
  })

  it('are fetched again when they are a day old', async () => {
    const { shop, page, open } = scene
    shop.on(refetch, () => cartAnswer([socks]))
    await open({ body: listing([41]), jQuery })
    await withCookies(socks)
    await page.reload()
    await eventually(() => shop.calls(refetch).length).toBe(1)
    await eventually(() => page.evaluate(() => sessionStorage.getItem('wc_cart_created'))).not.toBeNull()
    await page.evaluate(() => sessionStorage.setItem('wc_cart_created', String(Date.now() - 86_400_001)))
    await page.reload()
    await eventually(() => shop.calls(refetch).length).toBe(2)
  })

  it('ADD-10 with the payment module the cached fragments go on load and a refresh is triggered', async () => {
    const { shop, page, open } = scene
    shop.on(refetch, () => cartAnswer([socks]))
    await open({ body: listing([41]), jQuery })
    await withCookies(socks)
    await page.reload()
    await eventually(() => page.evaluate(() => sessionStorage.getItem('wc_fragments_test'))).not.toBeNull()
    let release = () => {}
    shop.on(refetch, async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return cartAnswer([socks])
    })
    await open({ body: listing([41]), jQuery, settings: payments })
    await eventually(() => shop.calls(refetch).length).toBe(2)
    expect(await page.evaluate(() => sessionStorage.getItem('wc_fragments_test'))).toBeNull()
    release()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
  })

  it('ADD-10 with the payment module and an empty cart the cache goes too, without a request', async () => {
    const { shop, page, open } = scene
    await open({ body: listing([41]), jQuery, settings: payments })
    await page.evaluate(() => sessionStorage.setItem('wc_fragments_test', '{}'))
    await page.reload()
    // The stores are not read while the page loads: the first access waits for the disk.
    await page.mouse.move(20, 20)
    await eventually(() => page.evaluate(() => sessionStorage.getItem('wc_fragments_test'))).toBeNull()
    expect(shop.calls(refetch)).toEqual([])
  })

  it('are fetched whenever somebody asks, natively or through jQuery', async () => {
    const { shop, page, open } = scene
    shop.on(refetch, () => cartAnswer([socks]))
    await open({ body: listing([41]), jQuery })
    await listenFor(page, ['wc_fragments_refreshed', 'wc_fragments_ajax_error'])
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragment_refresh', { bubbles: true })))
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(await firedEventNames(page)).toEqual(['wc_fragments_refreshed'])
    if (jQuery) {
      await page.evaluate(() => Reflect.get(window, 'jQuery')(document.body).trigger('wc_fragment_refresh'))
      await eventually(() => shop.calls(refetch).length).toBe(2)
    }
  })

  it('F21 that cannot be fetched leave the page as it is and say so', async () => {
    const { shop, page, open } = scene
    shop.on(refetch, () => ({ hangUp: true }))
    await open({ body: listing([41], [hat]), jQuery })
    await listenFor(page, ['wc_fragments_refreshed', 'wc_fragments_ajax_error'])
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragment_refresh', { bubbles: true })))
    await eventually(() => firedEventNames(page)).toEqual(['wc_fragments_ajax_error'])
    expect(await page.locator('.mini_cart_item').count()).toBe(1)
  })
})

describe('replaced fragments', () => {
  it('ADD-05 are shown, and asked for on the next page, where the browser has no room to keep them', async () => {
    const { shop, page, open, errors } = scene
    shop.on(refetch, () => cartAnswer([socks]))
    await open({ body: listing([41]) })
    await page.evaluate(() => {
      const room = Storage.prototype.setItem
      Storage.prototype.setItem = function (name, value) {
        if (value.length > 100) throw new DOMException('full', 'QuotaExceededError')
        room.call(this, name, value)
      }
    })
    shop.on('add_to_cart', () => cartAnswer([socks]))
    await page.locator('.add_to_cart_button').click()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((name) => /fragments|hash/.test(name))),
    ).toEqual([])
    await withCookies(socks)
    await page.reload()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(shop.calls(refetch)).toHaveLength(1)
    expect(errors).toEqual([])
  })

  it('ask again when another tab has changed the cart', async () => {
    const { shop, page, open } = scene
    shop.on('add_to_cart', () => cartAnswer([socks]))
    shop.on(refetch, () => cartAnswer([socks, hat]))
    await open({ body: listing([41]) })
    await page.getByRole('button', { name: 'Add 41' }).click()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.evaluate(() => localStorage.setItem('wc_cart_hash_test', 'changed elsewhere'))
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(2)
  })

  it('an answer to an add is not undone by an older refetch that comes late', async () => {
    const { shop, page, open } = scene
    let release = () => {}
    shop.on(refetch, async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return cartAnswer([])
    })
    shop.on('add_to_cart', () => cartAnswer([socks]))
    await open({ body: listing([41]) })
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragment_refresh')))
    await eventually(() => shop.calls(refetch).length).toBe(1)
    await page.getByRole('button', { name: 'Add 41' }).click()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    release()
    await settled(page)
    expect(await page.locator('.mini_cart_item').count()).toBe(1)
  })

  it('keep focus, caret and typed text of a field that both have', async () => {
    const { shop, page, open } = scene
    const box = (note: string) =>
      `<div class="note-box"><p>${note}</p><label>Note <input id="note" value="server"></label></div>`
    shop.on('add_to_cart', () => ({ json: { fragments: { '.note-box': box('after') }, cart_hash: 'h' } }))
    await open({ body: listing([41]) + box('before') })
    const field = page.getByLabel('Note')
    await field.fill('typed')
    await page.getByRole('button', { name: 'Add 41' }).evaluate((it: HTMLElement) => it.click())
    await field.evaluate((it: HTMLInputElement) => it.setSelectionRange(2, 4))
    await eventually(() => page.locator('.note-box p').textContent()).toBe('after')
    const state = () =>
      field.evaluate((it: HTMLInputElement) => [
        it.value,
        it.selectionStart,
        it.selectionEnd,
        document.activeElement === it,
      ])
    await eventually(state).toEqual(['typed', 2, 4, true])
    await eventually(() =>
      page
        .locator('.note-box')
        .evaluate((it) => [it.className, it.hasAttribute('aria-busy'), it.querySelector('.blockUI')]),
    ).toEqual(['note-box', false, null])
  })

  it('bring no script, no handler and no script address into the page', async () => {
    const { shop, page, open } = scene
    const hostile =
      '<div class="widget_shopping_cart_content"><img src="/nothing" onerror="window.hit=1"><a id="bad" href=" java\tscript:window.hit=1">x</a><script>window.hit=1</script><p>arrived</p></div>'
    shop.on('add_to_cart', () => ({
      json: { fragments: { 'div.widget_shopping_cart_content': hostile }, cart_hash: 'h' },
    }))
    await open({ body: listing([41]) })
    await page.getByRole('button', { name: 'Add 41' }).click()
    await page.getByText('arrived').waitFor()
    expect(await page.locator('.widget_shopping_cart_content').innerHTML()).toBe(
      '<img src="/nothing"><a id="bad">x</a><p>arrived</p>',
    )
    expect(await page.evaluate(() => Reflect.get(window, 'hit'))).toBeUndefined()
  })

  it('a selector that is none is named and does not stop the others', async () => {
    const { shop, page, open, errors } = scene
    shop.on('add_to_cart', () => ({
      json: {
        fragments: { '::nonsense(': 'x', 'div.widget_shopping_cart_content': miniCart([socks]) },
        cart_hash: 'h',
      },
    }))
    await open({ body: listing([41]) })
    await page.getByRole('button', { name: 'Add 41' }).click()
    await eventually(() => page.locator('.mini_cart_item').count()).toBe(1)
    expect(errors.filter((it) => it.includes('::nonsense('))).toHaveLength(1)
  })
})
