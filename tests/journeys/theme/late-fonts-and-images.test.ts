import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

describe('letters and pictures that come late', () => {
  for (const [path, size] of [
    ['/', phone],
    ['/shop/', desktop],
    ['/product/linen-shirt/', phone],
  ] as const) {
    it(`move nothing on ${path} at ${size.width} pixels when they are there at last`, async (context) => {
      await using visitor = await aShopper(browser, shop, { size })
      const { page } = visitor
      const release = await holdBack(page)
      // Loaded it is only with its letters.
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      // The machine's own letters are named in pairs, a serif and a sans; one without any of them shows what it has.
      const standIns = await page.evaluate(async () => {
        await Promise.allSettled(
          [...document.fonts].filter(({ family }) => family.includes('Fallback')).map((face) => face.load()),
        )
        return [...document.fonts]
          .filter(({ status }) => status === 'loaded')
          .map(({ family }) => family.replaceAll('"', ''))
      })
      if (!standIns.some((name) => name.startsWith('Petrona')) || !standIns.includes('Figtree Fallback')) {
        context.skip('this machine has none of the letters that stand in')
      }
      const before = await places(page)
      expect(before.length).toBeGreaterThan(20)

      release()
      await page.waitForFunction(() =>
        ['Petrona', 'Figtree'].every((name) =>
          [...document.fonts].some(({ family, status }) => family.replaceAll('"', '') === name && status === 'loaded'),
        ),
      )
      await page.evaluate(async () => {
        await document.fonts.ready
        await Promise.all([...document.images].map((image) => image.loading === 'lazy' || image.decode()))
      })
      expect(await places(page)).toEqual(before)
      expect(await shift(page)).toBeLessThan(0.001)
    })
  }
})

/** Keeps the shop's own letters and all pictures away until the answer is called. */
async function holdBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\.woff2$|\/media\//, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Where every block of text and every picture begins, and how high it is, in whole pixels. */
const places = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'main :is(h1, h2, p, li, td, label, .price, .picture), .site-header a, .site-footer li',
      ),
    ]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => {
        const { top, height } = element.getBoundingClientRect()
        return `${element.textContent?.trim().slice(0, 30)}: ${Math.round(top + scrollY)}, ${Math.round(height)}`
      }),
  )

/** What has moved without a person's doing: the sum of its shares of the window. */
const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // What was painted last is reported after the frame that follows it.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
      }),
  )
