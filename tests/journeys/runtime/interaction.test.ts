import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { presses } from '../../../bench/interaction.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

it('a press is seen at once on a slow phone: adding to the cart, opening it, one more of a product', async () => {
  const { bare, ...times } = await presses(browser, shop.url, '/product/plain-mug/', 2)
  // The budget is 100, see bench/README.md. Here others want the machine as well: the better of two counts, and what a press
  // on an empty page takes meanwhile says how much room it needs.
  const most = 100 + 4 * Math.max(...bare, 16)
  for (const [what, values] of Object.entries(times)) {
    expect(Math.min(...values), `${what}: ${values}; an empty page: ${bare}`).toBeLessThanOrEqual(most)
  }
})
