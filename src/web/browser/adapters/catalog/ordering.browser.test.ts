import { describe, expect, it } from 'vitest'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('a listing, %s', (_, jQuery) => {
  const ordering = `<form class="woocommerce-ordering" method="get"><select name="orderby" class="orderby" aria-label="Shop order">
    <option value="menu_order" selected>Default</option><option value="price">Price</option></select><input type="hidden" name="paged" value="1"><input type="hidden" name="s" value="cup"></form>`

  it('LIST-02 choosing another order submits the form with everything in it', async () => {
    const { page, open } = scene
    await open({ body: ordering, jQuery })
    await page.getByLabel('Shop order').selectOption('price')
    await page.waitForURL('**/page/?orderby=price&paged=1&s=cup')
  })

  it.runIf(jQuery)('LIST-02 a change that a script makes with jQuery counts too', async () => {
    const { page, open } = scene
    await open({ body: ordering, jQuery })
    await page.evaluate(() => {
      const select = document.querySelector('select')
      if (select) select.value = 'price'
      Reflect.get(window, 'jQuery')(select).trigger('change')
    })
    await page.waitForURL('**/page/?orderby=price&paged=1&s=cup')
  })

  const count =
    '<p class="woocommerce-result-count" role="status" aria-relevant="all">Showing 1–24 of 60 results<span class="screen-reader-text">Sorted by price</span></p>'

  it('tells which product somebody goes on to from a list', async () => {
    const { page, open, errors } = scene
    await page.clock.install()
    const link = '<a class="woocommerce-LoopProduct-link woocommerce-loop-product__link" href="#socks">Socks</a>'
    const list = `<ul class="products"><li class="product type-product post-41">${link}</li></ul>`
    await open({ body: `${list}<a href="#top">Up</a>`, jQuery })
    await page.evaluate(() => {
      const viewed: unknown[] = []
      Object.assign(window, { viewed })
      document.addEventListener('wc-blocks_viewed_product', (event) => viewed.push((event as CustomEvent).detail))
    })
    // Loads with the scripts that wait for user activity, and then for idle time, at most a second.
    await page.mouse.move(20, 20)
    await passTime(page, 1500)
    await page.getByText('Up').click()
    await page.getByText('Socks').click()
    await eventually(() => page.evaluate(() => Reflect.get(window, 'viewed'))).toEqual([{ productId: 41 }])
    expect(errors).toEqual([])
  })

  it('LIST-03 the result count is a live region that is rewritten after 1000 ms', async () => {
    const { page, open } = scene
    await open({ body: count, jQuery }, '/page/?orderby=price')
    const region = page.locator('.woocommerce-result-count')
    await page.evaluate(() => {
      const changes: number[] = []
      Object.assign(window, { changes, since: performance.now() })
      const target = document.querySelector('.woocommerce-result-count')
      if (target) new MutationObserver(() => changes.push(performance.now())).observe(target, { childList: true })
    })
    await eventually(() => region.getAttribute('aria-hidden')).toBe('true')
    expect(await region.getAttribute('role')).toBe('alert')
    await eventually(() => region.getAttribute('aria-hidden')).toBe('false')
    const [changed] = await page.evaluate(() => Reflect.get(window, 'changes') as number[])
    expect(changed).toBeGreaterThan(1000)
    expect(await region.innerHTML()).toBe(
      'Showing 1–24 of 60 results<span class="screen-reader-text">Sorted by price</span>',
    )
  })

  it('LIST-03 on a plain visit it is left alone', async () => {
    const { page, open } = scene
    await open({ body: count, jQuery })
    expect(await page.locator('.woocommerce-result-count').getAttribute('role')).toBe('status')
  })
})

describe('the quantity fields', () => {
  const field = (
    attributes: string,
  ) => `<div class="quantity"><button type="button" class="minus" aria-label="Less"></button>
    <input type="number" class="input-text qty text" name="quantity" aria-label="Quantity" ${attributes}><button type="button" class="plus" aria-label="More"></button></div>`
  const value = () => scene.page.getByLabel('Quantity').inputValue()

  it('QTY-01 below their min are raised to it on load', async () => {
    await scene.open({ body: field('value="1" min="3"') })
    await eventually(value).toBe('3')
  })

  it('QTY-01 in the cart keep what they hold', async () => {
    await scene.open({ body: `<div class="product-quantity">${field('value="0" min="2"')}</div>` })
    await scene.page.waitForSelector('body.woocommerce-js')
    expect(await value()).toBe('0')
  })

  it('a negative min raises nothing', async () => {
    await scene.open({ body: field('value="-5" min="-3"') })
    await scene.page.waitForSelector('body.woocommerce-js')
    expect(await value()).toBe('-5')
  })

  it.each([
    ['QTY-02 plus adds the step up to the max', 'value="9" min="0" max="10" step="5"', 'More', '10'],
    ['QTY-02 a step of any counts as 1', 'value="1" min="1" step="any"', 'More', '2'],
    ['QTY-03 minus stops at the min', 'value="3" min="1" step="5"', 'Less', '1'],
    ['QTY-04 an empty field counts as 0', 'value=""', 'More', '1'],
    ['QTY-06 decimal steps stay exact', 'value="0.2" min="0" step="0.1"', 'More', '0.3'],
  ])('%s', async (_, attributes, button, expected) => {
    const { page, open } = scene
    await open({ body: field(attributes) })
    await page.evaluate(() => {
      Object.assign(window, { told: [] })
      for (const type of ['input', 'change'])
        document.addEventListener(type, (event) => Reflect.get(window, 'told').push(event.type))
    })
    await page.getByRole('button', { name: button }).click()
    expect(await value()).toBe(expected)
    expect(await page.evaluate(() => Reflect.get(window, 'told'))).toEqual(['input', 'change'])
    expect(await page.locator('.widget_shopping_cart_live_region').textContent()).toBe(expected)
  })

  it('a button that would do nothing is off, and on again when it would', async () => {
    const { page, open } = scene
    await open({ body: field('value="1" min="1" max="2"') })
    const states = () =>
      page.getByRole('button').evaluateAll((all) => all.map((it) => (it as HTMLButtonElement).disabled))
    await eventually(states).toEqual([true, false])
    await page.getByRole('button', { name: 'More' }).click()
    expect(await states()).toEqual([false, true])
  })
})
