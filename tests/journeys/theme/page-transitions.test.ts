import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings: { languages: [{ tag: 'de' }] } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** A visitor of a page who has moved the pointer, so that what waits for somebody has started. */
async function visit(path: string) {
  const visitor = await aVisitor(browser, { baseURL: shop.url, reducedMotion: 'no-preference' })
  const { page } = visitor
  await page.addInitScript(() =>
    addEventListener('pagereveal', (event) => {
      document.documentElement.dataset.flowed = String(Reflect.get(event, 'viewTransition') !== null)
    }),
  )
  const started = page.waitForResponse(/\/assets\/theme-.*\.js/)
  await page.goto(path)
  await page.mouse.move(200, 200)
  await page.mouse.move(210, 200)
  await started
  await page.waitForLoadState('networkidle')
  const follow = async (to: string) => {
    await page.evaluate((href) => {
      const link = document.body.appendChild(document.createElement('a'))
      link.href = href
      link.click()
    }, to)
    await page.waitForURL(`**${to}`)
    // An error of the transition comes as the new page is first drawn.
    await page.waitForLoadState('networkidle')
    return page.locator('html').getAttribute('data-flowed')
  }
  return { ...visitor, follow, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() }
}

it.each(['/cart/', '/my-account/', '/about/'])(
  'nothing moves on the way to %s, and nothing is an error there',
  async (to) => {
    await using visitor = await visit('/shop/')
    expect(await visitor.follow(to)).toBe('false')
    expect(visitor.errors).toEqual([])
  },
)

it.each([
  ['/shop/', '/product/plain-mug/'],
  ['/product/plain-mug/', '/'],
  ['/de/product/plain-mug/', '/de/'],
  ['/de/shop/', '/de/product/plain-mug/'],
])('%s flows into %s', async (from, to) => {
  await using visitor = await visit(from)
  expect(await visitor.follow(to)).toBe('true')
  expect(visitor.errors).toEqual([])
})

it('a page that is stopped as it begins to flow away is no error', async () => {
  await using visitor = await visit('/shop/')
  await visitor.page.evaluate(() =>
    addEventListener('pageswap', () =>
      setTimeout(() => {
        stop()
        Object.assign(window, { stopped: true })
      }),
    ),
  )
  await visitor.page.locator('a[href$="/product/plain-mug/"]').first().click({ noWaitAfter: true })
  await visitor.page.waitForFunction(() => 'stopped' in window)
  await settled(visitor.page)
  expect(new URL(visitor.page.url()).pathname).toBe('/shop/')
  expect(visitor.errors).toEqual([])
})
