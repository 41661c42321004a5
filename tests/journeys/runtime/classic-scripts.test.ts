import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metBy, openWithClassic } from '#tests/journeys/fixtures/classic-scripts.ts'
import { aShopper, putInCart, select } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { sellTo: [], shipTo: [] } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 5000 })

async function withMug(page: Page): Promise<void> {
  await putInCart(page, shop, 'MUG')
}

describe('scripts of the classic storefront beside the shop’s own', () => {
  it('PROD-03 the classic variation script shows what is chosen, once, under the pages’ policy', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await openWithClassic(page, '/product/linen-shirt/', ['jquery', 'wp-util', 'add-to-cart-variation'])
    await eventually(() => metBy(page)).toEqual([['started']])
    const form = page.locator('form.variations_form')
    for (const choice of await form.locator('.variations select').all()) {
      const values = await choice
        .locator('option')
        .evaluateAll((all) => all.map((it) => (it as HTMLOptionElement).value))
      await choice.selectOption(values.filter(Boolean)[0] ?? '')
    }
    const id = Number(await form.locator('input.variation_id').inputValue())
    await eventually(() => metBy(page)).toEqual([['started'], ['shown', id]])
    expect(id).toBeGreaterThan(0)
    expect(await form.locator('.single_variation .woocommerce-variation-availability').count()).toBe(1)
    expect(await form.locator('.single_add_to_cart_button').isEnabled()).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('ADDR-01 ADDR-03 classic address scripts find every country on offer, and the shop’s own step aside', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withMug(page)
    await openWithClassic(page, '/checkout/', ['jquery', 'country-select', 'address-i18n'])
    await eventually(async () => (await metBy(page)).map(([name, , said]) => [name, said])).toEqual([
      ['states', 'Ontario'],
      ['locale', 'Province'],
    ])
    for (const [, count] of await metBy(page)) expect(count).toBeGreaterThan(80)
    await select(page, /^Country/).selectOption('CA')
    await eventually(() => page.locator('#billing_state option').count()).toBe(13)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.select2-container').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('ADDR-01 whoever reads the objects gets every country, and nobody loads them who does not', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const loaded: string[] = []
    page.on('request', (request) => request.url().includes('/address-data/') && loaded.push(request.method()))
    await withMug(page)
    await page.goto('/cart/')
    await page.waitForLoadState('networkidle')
    expect(loaded).toEqual([])
    const read = () =>
      page.evaluate(() => {
        const parsed = (name: string, key: string) => JSON.parse(Reflect.get(window, name)[key])
        const states = parsed('wc_country_select_params', 'countries')
        return [states.CA.ON, states.US.CA, states.FR, parsed('wc_address_i18n_params', 'locale').CA.state.label]
      })
    const all = ['Ontario', 'California', {}, 'Province']
    expect([await read(), await read(), loaded]).toEqual([all, all, ['GET']])
    // A script that puts its own list there is heeded.
    const set = await page.evaluate(() => {
      const params = Reflect.get(window, 'wc_country_select_params')
      params.countries = '{"US":{"CA":"Golden State"}}'
      return params.countries
    })
    expect(set).toBe('{"US":{"CA":"Golden State"}}')
    expect(visitor.errors).toEqual([])
  })

  it('a script that doubles what the shop does is named in the console, once, and any other is not', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await openWithClassic(page, '/product/plain-mug/', ['jquery', 'wp-util', 'add-to-cart'])
    await eventually(async () => warnings.map((text) => /Warning: (\S+) does/.exec(text)?.[1])).toEqual([
      'add-to-cart.js',
    ])
    await page.evaluate(() => {
      const late = document.createElement('script')
      late.src = '/classic/checkout.min.js'
      document.head.append(late)
    })
    await eventually(async () => warnings.map((text) => /Warning: (\S+) does/.exec(text)?.[1])).toEqual([
      'add-to-cart.js',
      'checkout.js',
    ])
  })
})
