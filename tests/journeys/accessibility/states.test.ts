import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aShopper } from '../fixtures/shopper.ts'
import { atRest } from './instruments/at-rest.ts'
import { examine } from './instruments/examine.ts'
import { lost } from './instruments/reflow.ts'
import { account } from './table/account.ts'
import { browsing } from './table/browsing.ts'
import { cart, checkout } from './table/purchase.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const settings = {
    paypal: { keep: true, cards: { enabled: true, keep: true } },
    menus: {
      main: [
        { url: '/shop/', text: 'All products' },
        {
          category: 'kitchen',
          children: [{ category: 'cups', children: [{ url: '/product/plain-mug/', text: 'The mug' }] }],
        },
        { page: 'terms', text: 'Terms' },
      ],
    },
    storeNotice: { enabled: true, text: 'We send parcels on Tuesdays and Fridays.' },
  }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Everything that is wrong with a page as it stands: in the light, in the dark, and where a phone is narrower still. */
async function faultsOf(page: Page, size: typeof desktop | typeof phone): Promise<string[]> {
  const narrow = size === phone
  await atRest(page)
  // What a bar at the bottom happens to lie over is scrolled from under it.
  const faults = (await violations(page)).filter((fault) => !/^target-size.*partially obscured/.test(fault))
  faults.push(...(await examine(page, { narrow })))
  await page.emulateMedia({ colorScheme: 'dark' })
  await atRest(page)
  faults.push(...(await violations(page, 'colours')).map((fault) => `in the dark: ${fault}`))
  await page.emulateMedia({ colorScheme: 'light' })
  if (narrow) {
    await page.setViewportSize({ ...size, width: 320 })
    faults.push(...(await lost(page)).map((fault) => `at 320: ${fault}`))
    await page.setViewportSize(size)
  }
  return faults
}

describe.each([
  ['at 1280 pixels', desktop],
  ['at 360 pixels', phone],
] as const)('%s', (_, size) => {
  // A finer screen shows the same, and takes its time to draw.
  const aVisitor = (expectedErrors: readonly RegExp[] = []) =>
    aShopper(browser, shop, { size, expectedErrors, colorScheme: 'light', deviceScaleFactor: 1 })

  it.each([browsing, cart, checkout, account])(
    'axe finds nothing in either scheme in any state of $title',
    async ({ states, expectedErrors = [] }) => {
      await using visitor = await aVisitor(expectedErrors)
      const { page } = visitor
      const found: Record<string, string[]> = {}
      for (const [name, open] of Object.entries(states)) {
        if ((await open({ visitor, page, shop, narrow: size === phone })) === false) continue
        const faults = await faultsOf(page, size)
        if (faults.length > 0) found[name] = faults
      }
      expect(found).toEqual({})
      expect(visitor.errors).toEqual([])
    },
    // A tour is thirty pages long.
    240_000,
  )

  it('STORE-02 axe finds nothing on the page before a shop opens', async () => {
    try {
      await writeSettings(shop.db, { comingSoon: true })
      await reconfigured(shop)
      await using visitor = await aVisitor()
      await visitor.page.goto(urls.home())
      expect(await faultsOf(visitor.page, size)).toEqual([])
    } finally {
      await writeSettings(shop.db, { comingSoon: false })
      await reconfigured(shop)
    }
  })
})
