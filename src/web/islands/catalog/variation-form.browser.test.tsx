import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser, aVisitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { anAttribute, aVariableProduct, aVariation } from '#tests/support/catalog/product-page-fixtures.ts'
import { aFrame, anImage, aShop, usd } from '#tests/support/shared/page-fixtures.ts'
import { ProductPage } from '../../pages/catalog/product-page.tsx'
import { renderDocument } from '../../pages/shared/render.tsx'
import { variationObject } from '../../parts/catalog/variation-object.tsx'

const shop = aShop({ wallet: { ...aShop().wallet, enabled: false } })
const origin = 'http://shop.test'
const policy = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'"

/** Sea green in every size; smoke large only and sold out. */
const product = aVariableProduct({
  variations: [
    aVariation({ maxQuantity: 3 }),
    aVariation({
      id: 78,
      sku: 'T-SMO',
      attributes: { pa_colour: 'smoke', size: 'Large' },
      price: { kind: 'single', price: usd(7400) },
      displayPrice: usd(7400),
      displayRegularPrice: usd(7400),
      stock: 'outofstock',
      image: anImage({ hash: 'smoke1' }),
    }),
  ],
})

let browser: Browser
let script: Bundle
beforeAll(async () => {
  browser = await aBrowser()
  script = await bundle('src/web/browser/main.ts')
})
afterAll(() => browser.close())

type Scene = { product?: typeof product; javaScriptEnabled?: boolean; answer?: (body: URLSearchParams) => unknown }

async function open({ product: facts = product, javaScriptEnabled = true, answer }: Scene = {}) {
  const visitor = await aVisitor(browser, { javaScriptEnabled, reducedMotion: 'reduce' })
  const { page } = visitor
  const frame = aFrame({
    kind: 'product',
    assets: { css: [], script: `/assets/${script.entry}`, preload: [] },
    settings: {
      wc_add_to_cart_variation_params: {
        wc_ajax_url: '/?wc-ajax=%%endpoint%%',
        i18n_no_matching_variations_text: 'There is no such product.',
        i18n_make_a_selection_text: 'Please choose the options of this product first.',
        i18n_unavailable_text: 'This combination cannot be bought.',
        i18n_reset_alert_text: 'Your choice was cleared.',
      },
    },
  })
  const posted: URLSearchParams[] = []
  await page.route('**/*', (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const code = script.files.get(url.pathname.replace('/assets/', ''))
    if (code !== undefined) return route.fulfill({ contentType: 'text/javascript', body: code })
    if (url.searchParams.get('wc-ajax') === 'get_variation') {
      return route.fulfill({ json: answer?.(new URLSearchParams(request.postData() ?? '')) ?? false })
    }
    if (request.method() === 'POST') {
      const type = request.headers()['content-type'] ?? ''
      posted.push(fieldsOf(request.postData() ?? '', /boundary=(.+)$/.exec(type)?.[1]))
    }
    if (request.resourceType() !== 'document') return route.fulfill({ status: 204 })
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
      body: renderDocument(shop, frame, <ProductPage facts={facts} />),
    })
  })
  await page.goto(`${origin}/product/tidal-carafe/`)
  return Object.assign(visitor, { posted })
}

function fieldsOf(body: string, boundary = ''): URLSearchParams {
  const fields = new URLSearchParams()
  for (const part of body.split(`--${boundary}`)) {
    const found = /name="([^"]+)"\r\n\r\n([\s\S]*?)\r\n$/.exec(part)
    if (found?.[1] !== undefined) fields.append(found[1], found[2] ?? '')
  }
  return fields
}

const colour = (page: Page) => page.getByLabel('Colour')
const size = (page: Page) => page.getByLabel('Size')
const button = (page: Page) => page.locator('.single_add_to_cart_button')
const variationId = (page: Page) => page.locator('input.variation_id').inputValue()
const options = (page: Page, name: string) => page.locator(`select#${name} option`).allTextContents()

/** Names and variation of the form's events, in their order. */
async function record(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Reflect.set(window, 'heard', heard)
    const form = document.querySelector('form.variations_form')
    for (const name of [
      'found_variation',
      'show_variation',
      'hide_variation',
      'reset_data',
      'woocommerce_variation_has_changed',
    ]) {
      form?.addEventListener(name, (event) => {
        const [first] = event instanceof CustomEvent ? event.detail.args : []
        heard.push(first?.variation_id ? `${name} ${first.variation_id}` : name)
      })
    }
  })
  return () => page.evaluate(() => Reflect.get(window, 'heard'))
}

describe('choosing a variation', () => {
  it('PROD-03 finds it, shows price and limits, and lets it be added', async () => {
    await using visitor = await open()
    const { page, posted } = visitor
    const heard = await record(page)
    await colour(page).selectOption('Sea green')
    expect(await variationId(page)).toBe('0')
    await size(page).selectOption('Small')
    await page.locator('.single_variation .price').waitFor()
    expect(await page.locator('.single_variation .price').textContent()).toBe('$64.00')
    expect(await variationId(page)).toBe('77')
    expect(await page.locator('input.qty').getAttribute('max')).toBe('3')
    expect(await page.locator('.product_meta .sku').textContent()).toBe('T-SEA')
    await page.locator('.woocommerce-variation-add-to-cart-enabled').waitFor()
    const events = await heard()
    expect(events.indexOf('found_variation 77')).toBeGreaterThan(-1)
    expect(events.indexOf('show_variation 77')).toBeGreaterThan(events.indexOf('found_variation 77'))
    await button(page).click()
    await expect.poll(() => posted.length).toBe(1)
    expect(Object.fromEntries(posted[0] ?? [])).toEqual({
      attribute_pa_colour: 'sea-green',
      attribute_size: 'Small',
      quantity: '1',
      'add-to-cart': '41',
      product_id: '41',
      variation_id: '77',
    })
    expect(visitor.errors).toEqual([])
  })

  it('PROD-03 refuses to add without a choice, and leads to what is missing', async () => {
    await using visitor = await open()
    const { page, posted } = visitor
    const said = page.waitForEvent('dialog')
    await button(page).click({ noWaitAfter: true })
    const dialog = await said
    expect(dialog.message()).toMatch(/^Please choose the options of this product/)
    await dialog.accept()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pa_colour')
    expect(posted).toEqual([])
  })

  it('PROD-03 leaves out what does not exist with the other choice, and brings it back on reset', async () => {
    await using visitor = await open()
    const { page } = visitor
    await colour(page).selectOption('Smoke')
    await expect.poll(() => options(page, 'size')).toEqual(['Choose an option', 'Large'])
    await size(page).selectOption('Large')
    await expect.poll(() => page.locator('.single_variation .stock').textContent()).toBe('Out of stock')
    expect(await button(page).getAttribute('class')).toContain('disabled wc-variation-is-unavailable')
    expect(await page.locator('img.wp-post-image').getAttribute('src')).toBe('/media/smoke1-960.webp')
    expect(await page.locator('.woocommerce-product-gallery source').first().getAttribute('srcset')).toContain(
      '/media/smoke1-960.avif 960w',
    )
    const heard = await record(page)
    await page.getByRole('button', { name: 'Clear options' }).click()
    await expect.poll(() => options(page, 'size')).toEqual(['Choose an option', 'Small', 'Large'])
    expect(await variationId(page)).toBe('0')
    expect(await page.locator('img.wp-post-image').getAttribute('src')).toBe('/media/carafe1-960.webp')
    expect(await page.locator('.product_meta .sku').textContent()).toBe('H-1')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('pa_colour')
    expect(await heard()).toEqual(
      expect.arrayContaining(['woocommerce_variation_has_changed', 'reset_data', 'hide_variation']),
    )
    expect(visitor.errors).toEqual([])
  })

  it('shows the default choice before any script and keeps it when the form wakes', async () => {
    const facts = {
      ...product,
      attributes: [anAttribute({ defaultOption: 'sea-green' })],
      variations: [
        aVariation({ attributes: { pa_colour: 'sea-green' } }),
        aVariation({ id: 79, attributes: { pa_colour: 'smoke' }, displayPrice: usd(100) }),
      ],
    }
    await using visitor = await open({ product: facts })
    const { page } = visitor
    expect(await variationId(page)).toBe('77')
    await colour(page).focus()
    await page.locator('img.wp-post-image[data-o_src]').waitFor({ state: 'attached' })
    expect(await variationId(page)).toBe('77')
    await colour(page).selectOption('Smoke')
    await expect.poll(() => variationId(page)).toBe('79')
    expect(visitor.errors).toEqual([])
  })

  it('asks the server where the page does not carry the variations', async () => {
    const asked: URLSearchParams[] = []
    const [first] = product.variations
    await using visitor = await open({
      product: { ...product, variationsInline: false },
      answer: (body) => {
        asked.push(body)
        return body.get('attribute_pa_colour') === 'sea-green' && first ? variationObject(shop, product, first) : false
      },
    })
    const { page } = visitor
    await colour(page).selectOption('Smoke')
    await size(page).selectOption('Small')
    await page.locator('.wc-no-matching-variations').waitFor()
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      product_id: '41',
      attribute_pa_colour: 'smoke',
      attribute_size: 'Small',
    })
    await colour(page).selectOption('Sea green')
    await expect.poll(() => variationId(page)).toBe('77')
    expect(await page.locator('.wc-no-matching-variations').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-01 sends the choice without scripts for the server to look up', async () => {
    await using visitor = await open({ javaScriptEnabled: false })
    const { page, posted } = visitor
    await page.getByLabel('Colour').selectOption('Sea green')
    await page.getByLabel('Size').selectOption('Large')
    await button(page).click()
    await expect.poll(() => posted.length).toBe(1)
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({
      attribute_pa_colour: 'sea-green',
      attribute_size: 'Large',
      'add-to-cart': '41',
      variation_id: '0',
    })
  })
})

describe('the tabs of a product', () => {
  it('change panels by click, arrow keys and hash', async () => {
    await using visitor = await open()
    const { page } = visitor
    const panel = page.locator('#tab-additional_information')
    await page.getByRole('tab', { name: 'Additional information' }).click()
    await expect.poll(() => panel.isVisible()).toBe(true)
    expect(await page.locator('#tab-description').isVisible()).toBe(false)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator('#tab-description').isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Description')
    expect(visitor.errors).toEqual([])
  })
})
