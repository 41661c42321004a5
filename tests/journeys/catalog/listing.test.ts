import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper, cartLink } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { swatches: { pa_colour: { sand: '#d9c7a3', sea: '#3d6b7d' } } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const option = (page: Page, name: RegExp) => page.getByRole('region', { name: 'Filters' }).getByRole('link', { name })
const chips = (page: Page) => page.getByRole('list', { name: 'Chosen filters' }).getByRole('link')
const names = (page: Page) => page.locator('ul.products h2').allTextContents()
const count = (page: Page) => page.locator('p.woocommerce-result-count')
const price = (page: Page, which: 'Lowest' | 'Highest') => page.getByRole('spinbutton', { name: `${which} price in $` })

/** Narrows by category and price, orders, and takes the choices back one by one. */
async function narrow(page: Page, order: () => Promise<unknown>): Promise<void> {
  await page.goto('/shop/')
  const before = await names(page)
  await option(page, /^Kitchen/).click()
  await page.waitForURL('**/shop/?filter_product_cat=kitchen')
  await expect.poll(() => names(page)).not.toContain('Gift card')
  await price(page, 'Lowest').fill('20')
  await price(page, 'Highest').fill('30')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL('**min_price=20**')
  expect(new URL(page.url()).searchParams.get('filter_product_cat')).toBe('kitchen')
  const narrowed = ['Made-to-order plate', 'Sold-out vase']
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(narrowed)
  await order()
  await page.waitForURL('**orderby=price**')
  await expect.poll(() => names(page)).toEqual(narrowed)
  expect(new URL(page.url()).searchParams.get('max_price')).toBe('30')

  await expect.poll(() => chips(page).count()).toBe(3)
  await page.getByRole('link', { name: 'Remove filter: Kitchen' }).click()
  await expect.poll(() => names(page)).toContain('Gift card')
  await page.getByRole('list', { name: 'Chosen filters' }).getByRole('link', { name: 'Clear all' }).click()
  await page.waitForURL((url) => !url.search.includes('price='))
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(before.toSorted())
}

describe('a listing', () => {
  it('LIST-02 LIST-06 is narrowed in place by facets, price and order, and added from', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await narrow(page, () => page.getByRole('combobox', { name: 'Shop order' }).selectOption('price'))
    await option(page, /^Kitchen/).click()
    await page.getByRole('link', { name: 'Remove filter: Kitchen' }).waitFor()
    await addFromListing(page, 'Plain mug')
    await cartLink(page, 1).waitFor()
    await page.goBack()
    await expect.poll(() => names(page)).toContain('Gift card')
    expect(visitor.errors).toEqual([])
  })

  it('LIST-02 LIST-06 is narrowed without a script by the same links and forms', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await narrow(page, async () => {
      await page.getByRole('combobox', { name: 'Shop order' }).selectOption('price')
      await page.getByRole('button', { name: 'Sort' }).click()
    })
    expect(visitor.errors).toEqual([])
  })

  it.each([true, false])(
    'LIST-06 on a phone opens its filters as a drawer, with scripts: %s',
    async (javaScriptEnabled) => {
      await using visitor = await aShopper(browser, shop, { size: phone, javaScriptEnabled })
      const { page } = visitor
      await page.goto('/shop/')
      expect(await option(page, /^Kitchen/).count()).toBe(0)
      await page.getByRole('button', { name: 'Filters' }).click()
      await option(page, /^Kitchen/).click()
      await page.waitForURL('**filter_product_cat=kitchen')
      if (javaScriptEnabled) {
        // The drawer stays for the next choice, and its button says what there is by now.
        await page.getByRole('button', { name: /^Show 6 results$/ }).click()
        await option(page, /^Kitchen/).waitFor({ state: 'hidden' })
      }
      await page.getByRole('button', { name: 'Filters 1' }).waitFor()
      expect(await count(page).textContent()).toBe('Showing all 6 results')
      expect(visitor.errors).toEqual([])
    },
  )

  it('LIST-06 shows colours as dots and combines them with others', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    const sea = option(page, /^Sea/)
    expect(await sea.locator('svg.swatch-dot').getAttribute('color')).toBe('#3d6b7d')
    await sea.click()
    await page.waitForURL('**/shop/?filter_colour=sea')
    await expect.poll(() => names(page)).toEqual(['Linen shirt'])
    expect(visitor.errors).toEqual([])
  })
})

describe.each([
  ['light', undefined],
  ['dark', phone],
] as const)('in %s colours', (colorScheme, size) => {
  it('axe finds nothing in a narrowed list, its drawer and the open search', async () => {
    await using visitor = await aShopper(browser, shop, size ? { size } : {})
    const { page } = visitor
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/shop/?filter_product_cat=kitchen&min_price=10')
    expect(await violations(page)).toEqual([])
    if (size) {
      await page.getByRole('button', { name: /^Filters/ }).click()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.locator('.search-toggle').click()
    const drawer = page.getByRole('dialog', { name: 'Search' })
    await drawer.getByRole('combobox').waitFor()
    expect(await violations(page)).toEqual([])
    await drawer.getByRole('combobox').pressSequentially('e')
    await drawer.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await violations(page)).toEqual([])
    expect(visitor.errors).toEqual([])
  })
})

describe('the search', () => {
  it('LIST-06 suggests while one types and leads to the product by the keyboard', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/')
    await page.locator('.search-toggle').click()
    const drawer = page.getByRole('dialog', { name: 'Search' })
    await drawer.getByRole('combobox').pressSequentially('teap')
    await drawer.getByRole('option', { name: /Last teapot/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/product/last-teapot/')
    expect(visitor.errors).toEqual([])
  })

  it('LIST-06 finds what was mistyped and says so, and helps where there is nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/?s=linnen+shrit&post_type=product')
    await page.getByText('Nothing was found for “linnen shrit”, so these are results for “linen shirt”.').waitFor()
    expect(await names(page)).toEqual(['Linen shirt'])
    await page.goto('/?s=zzzzqqqq&post_type=product')
    await page.getByText('No products were found matching “zzzzqqqq”.').waitFor()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Kitchen/ })
      .click()
    await page.waitForURL('**/product-category/kitchen/')
    expect(visitor.errors).toEqual([])
  })

  it('LIST-02 LIST-06 keeps its term when the answer is ordered and narrowed', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('searchbox', { name: 'Search for:' }).fill('mug')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('heading', { name: 'Results for “mug”' }).waitFor()
    await page.getByRole('combobox', { name: 'Shop order' }).selectOption('price-desc')
    await page.getByRole('button', { name: 'Sort' }).click()
    await page.waitForURL('**orderby=price-desc**')
    await page.getByRole('heading', { name: 'Results for “mug”' }).waitFor()
    expect(visitor.errors).toEqual([])
  })
})
