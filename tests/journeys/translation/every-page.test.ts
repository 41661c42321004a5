import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser } from '#tests/support/browser.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { demoInLanguages, demoLanguages } from '#tests/support/translation/demo-languages.ts'
import { foreignMark } from '#web/browser/runtime/translator-guard.ts'

/** LANGUAGES=all looks at every page in every language; else at those that are longest and that run the other way. */
const everything = process.env.LANGUAGES === 'all'

let browser: Browser
let shop: TestShop
let cookies: { name: string; value: string; url: string }[]
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ fill: demoInLanguages })])
  const customer = aCustomer(shop, 'grace@example.test')
  await customer.add('DRIFT-OAT')
  await customer.add('TIDAL-VASE-MOSS')
  await customer.register()
  cookies = [...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url }))
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const often = ['/', '/shop/', '/product/tidal-vase/', '/cart/', '/checkout/', '/my-account/']
const seldom = [
  '/product-category/kitchen/',
  '/?s=vase&post_type=product',
  '/?s=xylophone&post_type=product',
  '/about/',
  '/terms/',
  '/no-such-page/',
  '/my-account/orders/',
  '/my-account/edit-address/',
  '/my-account/edit-address/billing/',
  '/my-account/edit-account/',
  '/my-account/payment-methods/',
  '/my-account/privacy/',
]
const paths = everything ? [...often, ...seldom] : often
const spoken = demoLanguages.filter(({ slug }) => everything || slug === 'de' || slug === 'ar')

describe.each(spoken)('the pages in $tag', ({ tag, slug }) => {
  it('TRN-01 TRN-08 TRN-11 have room for their texts, run as the language does, and ask for nothing more', async () => {
    const context = await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce', locale: tag })
    await context.addCookies(cookies)
    const faults: string[] = []
    for (const path of paths) faults.push(...(await look(context, `/${slug}${path}`)))
    await context.close()
    expect(faults).toEqual([])
  }, 180_000)
})

/** @returns everything that is wrong with a page */
async function look(context: BrowserContext, path: string): Promise<string[]> {
  const faults: string[] = []
  const page = await context.newPage()
  const missing = path.endsWith('/no-such-page/')
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !missing) faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    // Its own texts are translated when it arrives.
    if (/api\/translate|trp_get_translations/.test(request.url() + (request.postData() ?? ''))) {
      faults.push(`asks for translations of ${request.postData()?.slice(0, 200)}`)
    }
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !missing) faults.push(`${response.status()} ${response.url()}`)
  })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    if (width === 360) {
      await page.goto(path, { waitUntil: 'load' })
      await page.mouse.move(20, 20)
      await page.locator('body.woocommerce-js').waitFor()
    }
    faults.push(...(await layoutFaults(page)).map((fault) => `${width}: ${fault}`))
  }
  if (await page.evaluate((mark) => performance.getEntriesByName(mark).length, foreignMark)) faults.push('guarded')
  await page.close()
  return faults.map((fault) => `${path} ${fault}`)
}

/** A page that is wider than its window, a button or a price that is cut off, a part on the wrong side. */
function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const { clientWidth, scrollWidth, dir } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth} wide`)
    const edgeOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
    const cart = edgeOf('.site-header .cart-contents')
    if (cart && cart.left > clientWidth / 2 !== (dir === 'ltr')) faults.push('the cart is on the other side')
    for (const button of document.querySelectorAll<HTMLElement>(
      '.button, .single_add_to_cart_button, summary, label',
    )) {
      const { overflow } = getComputedStyle(button)
      if (button.closest('.screen-reader-text') || button.offsetWidth < 2 || overflow === 'visible') continue
      if (button.scrollWidth > button.offsetWidth || button.scrollHeight > button.offsetHeight + 2) {
        faults.push(`“${button.textContent.trim()}” is cut off`)
      }
    }
    // A price of four figures is seen whole, however long the word on the button beside it is.
    for (const field of document.querySelectorAll<HTMLInputElement>('.facet__price input[type=number]')) {
      const { value } = field
      field.value = '8888'
      if (field.checkVisibility() && field.scrollWidth > field.clientWidth) faults.push(`${field.name} is cut off`)
      field.value = value
    }
    // What stands in the flow of the text stays between its edges, but for what scrolls in itself.
    for (const part of document.querySelectorAll(
      'main :is(h1, h2, h3, p, a, button, td, th, label, legend, .amount)',
    )) {
      const { left, right, width } = part.getBoundingClientRect()
      let inScroller = false
      for (let above = part.parentElement; above && above !== document.body; above = above.parentElement) {
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(above).overflowX)) inScroller = true
      }
      if (width > 1 && !inScroller && (left < -1 || right > clientWidth + 1)) {
        faults.push(`${part.localName}.${part.className} “${part.textContent.trim().slice(0, 40)}” leaves the window`)
      }
    }
    return faults
  })
}
