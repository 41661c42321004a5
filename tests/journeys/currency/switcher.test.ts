import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone, type VisitorOptions } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const currencies = [
    { code: 'EUR', rate: '0.9' },
    { code: 'GBP', rate: '0.8' },
    { code: 'JPY', rate: '150' },
    { code: 'CHF', rate: '0.88' },
    { code: 'CAD', rate: '1.4' },
  ]
  const exchange = { switcher: { header: true, footer: true } }
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ wallet: false, settings: { currencies, exchange, languages: [{ tag: 'ar' }] } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function visit(path: string, options: VisitorOptions = {}) {
  const visitor = await aShopper(browser, shop, options)
  await visitor.page.goto(path)
  if (options.javaScriptEnabled !== false) {
    await visitor.page.mouse.move(200, 200)
    await visitor.page.mouse.move(210, 200)
    await wake(visitor.page)
  }
  return visitor
}

const inHeader = (page: Page) => page.locator('.currency-switcher--header')
/** The list becomes a listbox when somebody comes near it. */
async function wake(page: Page): Promise<void> {
  await button(page).dispatchEvent('focusin')
  await inHeader(page).locator('[role=listbox]').waitFor({ state: 'attached' })
}
const inFooter = (page: Page) => page.locator('.currency-switcher--footer')
const button = (page: Page) => inHeader(page).locator('summary')
const option = (page: Page, name: string) => inHeader(page).getByRole('option', { name, exact: false })
const isOpen = (page: Page, of = inHeader(page)) => expect.poll(() => of.locator('details[open]').count())
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLButtonElement | null)?.value ?? '')
const firstPrice = (page: Page) =>
  page.locator('ul.products .woocommerce-Price-amount').first().textContent({ timeout: 10_000 })
const upwards = (page: Page) =>
  inFooter(page).evaluate((form) =>
    ['details', 'summary', 'ul'].map((part) => form.querySelector(part)?.classList.contains('upwards')),
  )

describe('the list of currencies', () => {
  it('CUR-01 opens by click, and closes by a click on it, elsewhere, and when the focus leaves', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    await button(page).click()
    await isOpen(page).toBe(1)
    expect(await inHeader(page).locator('.flag').count()).toBeGreaterThan(4)
    expect(await violations(page)).toEqual([])
    await button(page).click()
    await isOpen(page).toBe(0)
    await button(page).click()
    await isOpen(page).toBe(1)
    await page.mouse.click(300, 700)
    await isOpen(page).toBe(0)
    await button(page).click()
    await isOpen(page).toBe(1)
    await page.getByRole('link', { name: 'Account' }).first().focus()
    await isOpen(page).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('CUR-06 goes by the keyboard, as a listbox does', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    expect(await button(page).getAttribute('aria-haspopup')).toBe('listbox')
    await button(page).focus()
    await page.keyboard.press('ArrowDown')
    await isOpen(page).toBe(1)
    await expect.poll(() => focused(page)).toBe('USD')
    expect(await inHeader(page).locator('[aria-selected=true]').allTextContents()).toEqual(['US Dollar($)USD'])
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('EUR')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe('CAD')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('CAD')
    await page.keyboard.press('Home')
    expect(await focused(page)).toBe('USD')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe('JPY')
    await page.keyboard.press('Escape')
    await isOpen(page).toBe(0)
    expect(await button(page).evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await isOpen(page).toBe(1)
    await expect.poll(() => focused(page)).toBe('USD')
    await page.keyboard.press('Tab')
    await isOpen(page).toBe(0)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowUp')
    await isOpen(page).toBe(1)
    await expect.poll(() => focused(page)).toBe('USD')
    await page.keyboard.press('ArrowDown')
    await Promise.all([page.waitForURL(/\/shop\//), page.keyboard.press('Enter')])
    await expect.poll(() => firstPrice(page)).toContain('€')
    expect(visitor.errors).toEqual([])
  })

  it('CUR-01: shows all of six currencies, and no row of more ends where the list does', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    await button(page).click()
    await isOpen(page).toBe(1)
    const list = inHeader(page).locator('ul')
    expect(await list.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0)
    const lastInSight = await list.evaluate((it) => {
      for (let more = 0; more < 3; more += 1) it.append(...[...it.children].map((row) => row.cloneNode(true)))
      const rows = [...it.children].map((row) => row.getBoundingClientRect())
      const edge = it.getBoundingClientRect().bottom
      const last = rows.find(({ bottom }) => bottom > edge)
      return last ? (edge - last.top) / last.height : 1
    })
    expect(lastInSight).toBeGreaterThan(0.35)
    expect(lastInSight).toBeLessThan(0.65)
  })

  it('CUR-02 opens upwards with less than 250 px below and more than 250 above, wherever the page has been scrolled to', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    const summary = inFooter(page).locator('summary')
    const openWith = async (below: number) => {
      await page.evaluate(
        ([wanted]) => {
          const spacer = document.querySelector('#spacer') ?? document.body.appendChild(document.createElement('div'))
          spacer.id = 'spacer'
          ;(spacer as HTMLElement).style.height = '1200px'
          const { bottom } = (
            document.querySelector('.currency-switcher--footer summary') as Element
          ).getBoundingClientRect()
          scrollBy({ top: bottom - (innerHeight - (wanted ?? 0)), behavior: 'instant' })
        },
        [below],
      )
      await summary.evaluate((it: HTMLElement) => it.click())
      await isOpen(page, inFooter(page)).toBe(1)
      const found = await upwards(page)
      await summary.evaluate((it: HTMLElement) => it.click())
      await isOpen(page, inFooter(page)).toBe(0)
      return found
    }
    await expect.poll(() => openWith(248)).toEqual([true, true, true])
    expect(await openWith(252)).toEqual([false, false, false])
    expect(await openWith(700)).toEqual([false, false, false])
    // Too little above as well: downwards.
    await page.setViewportSize({ width: 1280, height: 420 })
    expect(await openWith(248)).toEqual([false, false, false])
  })
})

describe('choosing a currency', () => {
  it('CUR-01 CUR-03 shows prices and cart in it at once and on every page, and lets the wait be seen', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    await addFromListing(page, 'Plain mug')
    await page.keyboard.press('Escape')
    // The form is sent, and the answer never comes.
    await page.evaluate(() => document.addEventListener('submit', (event) => event.preventDefault(), { once: true }))
    await button(page).click()
    await option(page, 'JPY').click()
    await expect.poll(() => inHeader(page).getAttribute('aria-busy')).toBe('true')
    expect(await inHeader(page).locator('.currency-switcher__loader.active').count()).toBe(1)
    expect(await inHeader(page).locator('.currency-switcher__present').textContent()).toContain('JPY')
    // The page is left and come back to.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect(await inHeader(page).getAttribute('aria-busy')).toBe(null)
    expect(await inHeader(page).locator('.currency-switcher__present').textContent()).toContain('USD')
    await button(page).click()
    await option(page, 'JPY').click()
    await expect.poll(() => firstPrice(page)).toContain('¥')
    await page.goto('/cart/')
    expect(await page.locator('.order-total .woocommerce-Price-amount').first().textContent()).toContain('¥')
    await page.goto('/product/plain-mug/')
    await page.locator('.cart-contents').click()
    await expect.poll(() => page.locator('.widget_shopping_cart_content .total').textContent()).toContain('¥')
    expect(visitor.errors).toEqual([])
  })

  it('CUR-03 a page that is come back to, and one in another tab, follow the choice', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    const other = await page.context().newPage()
    await other.goto('/product/plain-mug/')
    await button(page).click()
    await option(page, 'EUR').click()
    await expect.poll(() => firstPrice(page)).toContain('€')
    await other.bringToFront()
    // Nothing is touched: the page follows as it is seen again. A browser without windows has no tab that comes to the front.
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => other.locator('.summary .woocommerce-Price-amount').first().textContent()).toContain('€')
    await page.bringToFront()
    await page.goto('/about/')
    await page.mouse.move(210, 210)
    await wake(page)
    await button(page).click()
    await option(page, 'GBP').click()
    await expect.poll(() => button(page).textContent()).toContain('GBP')
    // Nothing is touched after the way back.
    await page.goBack()
    await page.goBack()
    await expect.poll(() => firstPrice(page)).toContain('£')
    await expect.poll(() => inHeader(page).getAttribute('aria-busy')).toBe(null)
    expect(visitor.errors).toEqual([])
  })

  it('CUR-01 is not there where an order is paid or shown, which keeps its own', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    for (const kind of ['woocommerce-order-pay', 'woocommerce-order-received']) {
      expect(await inHeader(page).isVisible()).toBe(true)
      await page.evaluate((name) => document.body.classList.add(name), kind)
      expect([await inHeader(page).isVisible(), await inFooter(page).isVisible()]).toEqual([false, false])
      await page.evaluate((name) => document.body.classList.remove(name), kind)
    }
  })

  it('CUR-01 works without scripts', async () => {
    await using visitor = await visit('/shop/?orderby=price', { javaScriptEnabled: false, size: phone })
    const { page } = visitor
    await inFooter(page).locator('summary').click()
    await inFooter(page).getByRole('button', { name: 'EUR' }).click()
    await page.waitForURL('**/shop/?orderby=price')
    expect(await firstPrice(page)).toContain('€')
  })

  it('CUR-06 stands the other way round where one reads from right to left', async () => {
    await using visitor = await visit('/ar/shop/')
    const { page } = visitor
    await button(page).click()
    await isOpen(page).toBe(1)
    const { list, width } = await inHeader(page)
      .locator('ul')
      .evaluate((it) => ({ list: it.getBoundingClientRect().toJSON(), width: innerWidth }))
    expect(list.left).toBeGreaterThanOrEqual(0)
    expect(list.right).toBeLessThanOrEqual(width)
    expect((await violations(page)).filter((text) => text.includes('currency'))).toEqual([])
  })

  it('CUR-04 CUR-05 an extension’s price calculator reckons in the currency that the page shows', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.context().addCookies([{ name: 'currency', value: 'EUR', url: shop.url }])
    await page.addInitScript(() => {
      Object.assign(window, {
        wc_price_calculator_params: {
          woocommerce_price_num_decimals: '4',
          pricing_rules: [{ range_start: '1', price: '10', regular_price: '20', sale_price: '' }],
        },
      })
    })
    await page.goto('/product/plain-mug/')
    await page.mouse.move(200, 200)
    await page.mouse.move(210, 200)
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'wc_price_calculator_params')))
      .toEqual({
        woocommerce_currency_pos: 'left',
        woocommerce_price_decimal_sep: '.',
        woocommerce_price_num_decimals: '2',
        woocommerce_price_thousand_sep: ',',
        pricing_rules: [{ range_start: '1', price: '9', regular_price: '18', sale_price: '' }],
      })
  })
})
