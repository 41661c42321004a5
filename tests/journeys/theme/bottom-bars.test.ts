import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { customerBy, setRole } from '#shop/customers/manage-customers.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import { aShopper, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aCustomer, goodPassword } from '#tests/support/customers/customer.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const text = 'Orders of this week leave on Monday.'
const cookieName = `store_notice${shortDigest(text)}`
let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const settings = { storeNotice: { enabled: true, text } }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const notice = (page: Page) => page.getByRole('complementary', { name: 'Store notice' })
const dismissal = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === cookieName).map(({ value, path }) => ({ value, path }))

describe('the store notice', () => {
  it.each([
    ['a click', (page: Page) => notice(page).getByRole('button', { name: 'Dismiss' }).click()],
    ['Enter', (page: Page) => notice(page).getByRole('button', { name: 'Dismiss' }).press('Enter')],
    ['the space bar', (page: Page) => notice(page).getByRole('button', { name: 'Dismiss' }).press(' ')],
  ])('STORE-01 is there until %s dismisses it, and then on no page', async (_, dismiss) => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await notice(page).waitFor()
    expect(await page.locator('body.woocommerce-demo-store').count()).toBe(1)
    expect(await notice(page).getAttribute('data-notice-id')).toBe(shortDigest(text))
    expect(await dismissal(page)).toEqual([])
    await dismiss(page)
    await notice(page).waitFor({ state: 'hidden' })
    expect(await dismissal(page)).toEqual([{ value: 'hidden', path: '/' }])
    expect(new URL(page.url()).hash).toBe('')
    await page.goto('/terms/')
    await page.locator('body.woocommerce-js').waitFor()
    await expect.poll(() => page.locator('.woocommerce-store-notice').getAttribute('hidden')).not.toBeNull()
    expect(await notice(page).isVisible()).toBe(false)
    expect(visitor.errors).toEqual([])
  })

  it('STORE-01 is dismissed by scripts that press its link through jQuery', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.addInitScript({ path: 'tests/support/browser-modules/fake-jquery.js' })
    await page.goto('/shop/')
    await notice(page).waitFor()
    await page.evaluate(() => {
      const link = document.querySelector('.woocommerce-store-notice__dismiss-link')
      Reflect.get(window, 'jQuery')(link).trigger('click')
    })
    await notice(page).waitFor({ state: 'hidden' })
    expect(await dismissal(page)).toEqual([{ value: 'hidden', path: '/' }])
    expect(visitor.errors).toEqual([])
  })

  it('STORE-01 moves nothing, lies over nothing for good, and never over what has the focus', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await page.addInitScript(() => {
      const shifts: number[] = []
      Reflect.set(window, 'shifts', shifts)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/shop/')
    await notice(page).waitFor()
    expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([])
    expect(await violations(page)).toEqual([])
    const covered = await page.evaluate(() => {
      const faults: string[] = []
      const bars = document.querySelector('.bottom-bars')
      for (const link of document.querySelectorAll<HTMLElement>('main a, main button, footer a')) {
        link.focus()
        if (document.activeElement !== link || link.getBoundingClientRect().height === 0) continue
        const { bottom } = link.getBoundingClientRect()
        if (bottom > (bars?.getBoundingClientRect().top ?? 0) + 1) faults.push(link.outerHTML.slice(0, 90))
      }
      return faults
    })
    expect(covered).toEqual([])
  })

  it('STORE-01 is read without scripts, too', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    await visitor.page.goto('/shop/')
    await notice(visitor.page).getByText(text).waitFor()
    expect(await notice(visitor.page).getByText('Dismiss').isVisible()).toBe(false)
  })
})

describe('without a connection', () => {
  it('the page says so and stays, with what was typed in it, until there is one again', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/ERR_INTERNET_DISCONNECTED/] })
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/cart/')
    await page.waitForLoadState('networkidle')
    const offline = page.getByRole('status').filter({ hasText: 'You are offline.' })
    const quantity = page.getByRole('spinbutton', { name: /Plain mug/ })
    await page.context().setOffline(true)
    await offline.waitFor()
    await quantity.fill('3')
    await page.getByRole('button', { name: 'Update cart' }).click()
    await page.getByRole('button', { name: /^Remove .*Plain mug/ }).click()
    await expect.poll(() => page.locator('.processing').count()).toBe(0)
    await offline.waitFor()
    expect([new URL(page.url()).pathname, await quantity.inputValue()]).toEqual(['/cart/', '3'])
    await page.context().setOffline(false)
    await offline.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Update cart' }).click()
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    expect(await quantity.inputValue()).toBe('3')
  })

  it('what leads back up stands clear of the bar that tells of a lost connection', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', () =>
        document.querySelector('.woocommerce-store-notice')?.remove(),
      ),
    )
    const started = page.waitForResponse(/\/assets\/theme-.*\.js/)
    await page.goto('/shop/')
    await page.mouse.move(100, 300)
    await page.mouse.move(110, 310)
    await started
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => scrollTo(0, 400))
    await page.locator('.scroll-to-top.scroll-visible').waitFor()
    await page.context().setOffline(true)
    const bar = page.getByText('You are offline.')
    await bar.waitFor()
    const bottom = async () => {
      const [link, words] = await Promise.all([page.locator('.scroll-to-top').boundingBox(), bar.boundingBox()])
      return (words?.y ?? 0) - ((link?.y ?? 0) + (link?.height ?? 0))
    }
    await expect.poll(bottom).toBeGreaterThan(0)
  })
})

describe('a shop that is not open yet', () => {
  it('STORE-02 has a page of its own, and a banner for the staff that a press sends away', async () => {
    const manager = aCustomer(shop, 'manager@example.test')
    await manager.register()
    const { tools } = shop.shop.application
    const { id } = (await customerBy(tools, manager.email)) ?? { id: 0 }
    await setRole(tools, id, 'shop_manager')
    await writeSettings(shop.db, { comingSoon: true })
    await reconfigured(shop)

    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Almost morning' }).waitFor()
    expect(await page.getByRole('link', { name: 'Plain mug' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])

    await page.getByRole('link', { name: 'Log in' }).click()
    const form = page.locator('form.woocommerce-form-login')
    await form.getByRole('textbox', { name: /^Username/ }).fill(manager.email)
    await form.getByLabel('Password', { exact: false }).first().fill(goodPassword)
    await form.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Hello, ').waitFor()
    await page.goto('/shop/')
    const banner = page.locator('#coming-soon-footer-banner')
    await banner.waitFor()
    expect(await violations(page)).toEqual([])
    const heard = page.waitForResponse((response) => new URL(response.url()).pathname === urls.restUser(id))
    await page.waitForLoadState('networkidle')
    await banner.getByRole('button', { name: 'Dismiss' }).click()
    expect((await heard).status()).toBe(200)
    await banner.waitFor({ state: 'hidden' })
    await page.goto('/cart/')
    expect(await banner.count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })
})
