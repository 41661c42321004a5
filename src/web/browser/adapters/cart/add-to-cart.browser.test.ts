import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { cartAnswer, hat, listing, socks } from '#tests/support/browser-modules/cart-markup.ts'
import {
  defaultSettings,
  type FixtureShop,
  fixtureShop,
  type PageParts,
  pageHtml,
} from '#tests/support/browser-modules/fixture-shop.ts'

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([aBrowser(), bundle('src/web/browser/main.ts')])
})
afterAll(() => browser.close())

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('adding from a listing, %s', (_, jQuery) => {
  let shop: FixtureShop
  let visit: Visitor
  beforeEach(async () => {
    shop = await fixtureShop(assets)
    visit = await aVisitor(browser)
  })
  afterEach(async () => {
    await visit[Symbol.asyncDispose]()
    await shop.close()
  })

  const open = async (parts: Partial<PageParts> = {}) => {
    shop.page('/shop/', pageHtml({ body: listing([41, 42]), jQuery, ...parts }))
    await visit.page.goto(`${shop.url}/shop/`)
    return visit.page
  }
  const addButton = (id: number) => visit.page.getByRole('button', { name: `Add ${id}` })

  it('ADD-01 the button goes from idle to loading to added, for eye and screen reader', async () => {
    let answer = () => {}
    shop.on('add_to_cart', async () => {
      await new Promise<void>((done) => {
        answer = done
      })
      return cartAnswer([socks])
    })
    const page = await open()
    const classes = () => addButton(41).getAttribute('class')
    expect(await classes()).not.toMatch(/loading|added/)

    await addButton(41).click()
    await page.waitForSelector('.add_to_cart_button.loading[aria-busy=true]')
    await expect.poll(() => shop.calls('add_to_cart').length).toBe(1)
    answer()
    await page.waitForSelector('.add_to_cart_button.added:not(.loading):not([aria-busy])')
    expect(visit.errors).toEqual([])
  })

  it('ADD-01 tells a script of the scripts’ page what was added, as that page shows it', async () => {
    const guide = await readFile('docs/reference/page-scripts.md', 'utf8')
    const blocks = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)
    const script = blocks.find((code) => code.startsWith('jQuery') === jQuery) ?? ''
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const page = await open()
    await page.evaluate(`var dataLayer = []; ${script}`)
    await addButton(41).click()
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'dataLayer')))
      .toEqual([{ event: 'add_to_cart', product: 41 }])
    expect(visit.errors).toEqual([])
  })

  it("ADD-02 the request carries all of the button's data attributes", async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    await open({ body: listing([41]).replace('data-quantity', 'data-gift_wrap="red" data-quantity') })
    await addButton(41).click()
    await expect.poll(() => shop.calls('add_to_cart').length).toBe(1)
    const [call] = shop.calls('add_to_cart')
    expect(call?.method).toBe('POST')
    expect(call?.headers['content-type']).toBe('application/x-www-form-urlencoded;charset=UTF-8')
    expect(call?.headers['x-requested-with']).toBe('XMLHttpRequest')
    expect(Object.fromEntries(call?.body ?? [])).toEqual({
      product_id: '41',
      product_sku: 'S-41',
      quantity: '1',
      success_message: 'Product 41 has been added',
      gift_wrap: 'red',
    })
  })

  it('ADD-03 an answer with error and product_url leads to that product', async () => {
    shop.page('/product/socks/', '<!doctype html><title>Socks</title>')
    shop.on('add_to_cart', () => ({ json: { error: true, product_url: `${shop.url}/product/socks/` } }))
    const page = await open()
    await addButton(41).click()
    await page.waitForURL('**/product/socks/')
  })

  it('ADD-04 with the setting to redirect after adding, the browser goes to the cart', async () => {
    shop.page('/cart/', '<!doctype html><title>Cart</title>')
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const settings = {
      wc_add_to_cart_params: { ...defaultSettings.wc_add_to_cart_params, cart_redirect_after_add: 'yes' },
    }
    const page = await open({ settings })
    await addButton(41).click()
    await page.waitForURL('**/cart/')
  })

  it('ADD-05 otherwise the fragments are replaced, the hash is kept, and the events tell', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const page = await open()
    await page.evaluate((viaJQuery) => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      for (const name of ['adding_to_cart', 'added_to_cart', 'wc_fragments_loaded', 'wc_cart_button_updated']) {
        if (viaJQuery) {
          const jQuery = Reflect.get(window, 'jQuery')
          jQuery(document.body).on(name, (_: unknown, ...args: { jquery?: string; 0?: Element }[]) => {
            heard.push([
              name,
              ...args.map((it) => (it?.jquery ? `button ${it[0]?.getAttribute('data-product_id')}` : it)),
            ])
          })
        } else {
          document.addEventListener(name, (event) => {
            const { args } = (event as CustomEvent).detail
            heard.push([
              name,
              ...args.map((it: unknown) => (it instanceof HTMLElement ? `button ${it.dataset.product_id}` : it)),
            ])
          })
        }
      }
    }, jQuery)
    await addButton(41).click()
    await page.waitForSelector('.woocommerce-mini-cart-item')
    await expect.poll(() => page.locator('.cart-count').textContent()).toBe('1')
    const heard = await page.evaluate(() => Reflect.get(window, 'heard') as [string, ...unknown[]][])
    const names = heard.map(([name]) => name)
    expect(names.toSorted()).toEqual([
      'added_to_cart',
      'adding_to_cart',
      'wc_cart_button_updated',
      'wc_fragments_loaded',
    ])
    expect([names[0], names.at(-1)]).toEqual(['adding_to_cart', 'wc_fragments_loaded'])
    const added = heard.find(([name]) => name === 'added_to_cart')
    expect(added?.slice(2)).toEqual(['hash1', 'button 41'])
    expect(added?.[1]).toHaveProperty(['div.widget_shopping_cart_content'])
    expect(heard.find(([name]) => name === 'adding_to_cart')?.[1]).toBe('button 41')
    expect(
      await page.evaluate(() => [
        sessionStorage.getItem('wc_cart_hash_test'),
        localStorage.getItem('wc_cart_hash_test'),
      ]),
    ).toEqual(['hash1', 'hash1'])
    expect(visit.errors).toEqual([])
  })

  it('ADD-06 the success message is announced to screen readers, and only then marked relevant', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const page = await open()
    await addButton(41).click()
    const live = page.locator('.widget_shopping_cart_live_region[role=status]')
    await expect.poll(() => live.textContent()).toBe('Product 41 has been added')
    await expect.poll(() => live.getAttribute('aria-relevant'), { timeout: 3000 }).toBe('all')
  })

  it('ADD-07 a view-cart link follows the button once, and not on the cart page', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    let page = await open()
    for (let turn = 0; turn < 2; turn += 1) {
      await addButton(41).click()
      await expect.poll(() => shop.calls('add_to_cart').length).toBe(turn + 1)
      await page.waitForSelector('.add_to_cart_button.added')
    }
    const link = page.locator('.add_to_cart_button[data-product_id="41"] + a.added_to_cart.wc-forward')
    expect(await link.count()).toBe(1)
    expect([await link.getAttribute('href'), await link.textContent(), await link.getAttribute('title')]).toEqual([
      '/cart/',
      'View cart',
      'View cart',
    ])

    page = await open({
      settings: { wc_add_to_cart_params: { ...defaultSettings.wc_add_to_cart_params, is_cart: '1' } },
    })
    await addButton(41).click()
    await page.waitForSelector('.add_to_cart_button.added')
    expect(await page.locator('a.added_to_cart').count()).toBe(0)
  })

  it('ADD-08 requests run one at a time in click order, removals among them', async () => {
    const running: string[] = []
    let most = 0
    const slowly = (name: string, answer: ReturnType<typeof cartAnswer>) => async () => {
      running.push(name)
      most = Math.max(most, running.length)
      await new Promise((done) => setTimeout(done, 150))
      running.pop()
      return answer
    }
    shop.on('add_to_cart', slowly('add', cartAnswer([socks, hat])))
    shop.on('remove_from_cart', slowly('remove', cartAnswer([socks])))
    await open({ body: listing([41, 42, 43], [hat]) })
    await addButton(43).click()
    await visit.page.getByRole('button', { name: 'Remove Hat' }).click()
    await addButton(42).click()
    await addButton(41).click()
    await expect.poll(() => shop.seen.filter((it) => it.endpoint).length).toBe(4)
    expect(
      shop.seen.filter((it) => it.endpoint).map((it) => it.body.get('product_id') ?? it.body.get('cart_item_key')),
    ).toEqual(['43', 'k-hat', '42', '41'])
    await expect.poll(() => visit.page.locator('.add_to_cart_button.added').count()).toBe(3)
    expect(most).toBe(1)
  })

  it('F18 a double click adds once', async () => {
    shop.on('add_to_cart', async () => {
      await new Promise((done) => setTimeout(done, 200))
      return cartAnswer([socks])
    })
    const page = await open()
    await addButton(41).dblclick()
    await page.waitForSelector('.add_to_cart_button.added')
    expect(shop.calls('add_to_cart')).toHaveLength(1)
  })

  it('F21 a request that is cut off clears the button and follows its link', async () => {
    shop.on('add_to_cart', () => ({ hangUp: true }))
    const page = await open()
    await addButton(41).click()
    await page.waitForURL('**/shop/?add-to-cart=41')
  })

  it('a listener may veto, which leaves the button idle and sends nothing', async () => {
    const page = await open()
    await page.evaluate((viaJQuery) => {
      if (viaJQuery)
        Reflect.get(window, 'jQuery')(document.body).on('should_send_ajax_request.adding_to_cart', () => false)
      else document.body.addEventListener('should_send_ajax_request', (event) => event.preventDefault())
    }, jQuery)
    await addButton(41).click()
    await settled(page)
    expect(await page.locator('.loading').count()).toBe(0)
    expect(shop.calls('add_to_cart')).toHaveLength(0)
  })

  it('a listener may change what is sent', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const page = await open()
    await page.evaluate((viaJQuery) => {
      const change = (data: Record<string, string>) => {
        data.engraving = 'Ada'
      }
      if (viaJQuery)
        Reflect.get(
          window,
          'jQuery',
        )(document.body).on('adding_to_cart', (_: unknown, _button: unknown, data: Record<string, string>) =>
          change(data),
        )
      else document.body.addEventListener('adding_to_cart', (event) => change((event as CustomEvent).detail.args[1]))
    }, jQuery)
    await addButton(41).click()
    await expect.poll(() => shop.calls('add_to_cart')[0]?.body.get('engraving')).toBe('Ada')
  })

  it('the space bar presses the button', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    const page = await open()
    await addButton(41).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => shop.calls('add_to_cart').length).toBe(1)
  })

  it('buttons of other code and buttons without a product are left to their links', async () => {
    const page = await open({ body: listing([41]).replace('ajax_add_to_cart', '') })
    await addButton(41).click()
    await page.waitForURL('**/shop/?add-to-cart=41')
    expect(shop.calls('add_to_cart')).toHaveLength(0)
  })

  it('native companions of adding, added and removed are dispatched in any case', async () => {
    shop.on('add_to_cart', () => cartAnswer([socks]))
    shop.on('remove_from_cart', () => cartAnswer([]))
    const page = await open()
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      for (const name of ['wc-blocks_adding_to_cart', 'wc-blocks_added_to_cart', 'wc-blocks_removed_from_cart'])
        document.addEventListener(name, () => heard.push(name))
    })
    await addButton(41).click()
    await page.getByRole('button', { name: 'Remove Socks' }).click()
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'heard')))
      .toEqual(['wc-blocks_adding_to_cart', 'wc-blocks_added_to_cart', 'wc-blocks_removed_from_cart'])
  })
})
