import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone, pointerAtRest, type VisitorOptions } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const languages = [{ tag: 'de-DE' }, { tag: 'fr-FR' }, { tag: 'ar' }]
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings: { languages } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function visit(path: string, options: VisitorOptions = {}) {
  const visitor = await aShopper(browser, shop, options)
  const { page } = visitor
  await pointerAtRest(page)
  // What is added waits for somebody; going to a place in the page is a sign of them too.
  const started = options.javaScriptEnabled !== false && languagesScript(page)
  await page.goto(path)
  if (started) {
    await page.mouse.move(200, 200)
    await started
  }
  return visitor
}

/** What is added to the links, once somebody is there. */
const languagesScript = (page: Page) =>
  page.waitForResponse((response) => /\/assets\/language-links-.*\.js/.test(response.url()))

const menu = (page: Page) => page.getByRole('banner').getByRole('navigation', { name: 'Choose a language' })
const button = (page: Page) => menu(page).locator('summary')
const link = (page: Page, name: string) => menu(page).getByRole('link', { name, exact: true })
const isOpen = (page: Page) => expect.poll(() => menu(page).locator('details[open]').count())
const cookies = async (page: Page) =>
  Object.fromEntries((await page.context().cookies()).map((cookie) => [cookie.name, cookie]))
const offer = (page: Page) => page.locator('.language-offer:not([hidden])')

describe('the list of languages', () => {
  it('TRN-08 opens by click and keyboard, and closes by Escape, elsewhere and when the focus leaves', async () => {
    await using visitor = await visit('/shop/')
    const { page } = visitor
    await button(page).click()
    await isOpen(page).toBe(1)
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape')
        return menu(page).locator('details[open]').count()
      })
      .toBe(0)
    expect(await button(page).evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await isOpen(page).toBe(1)
    await page.keyboard.press('Tab')
    const present = (name: string) => link(page, name).evaluate((it) => it === document.activeElement)
    expect(await present('Deutsch')).toBe(true)
    await page.keyboard.press('End')
    expect(await present('Deutsch')).toBe(false)
    await page.keyboard.press('d')
    expect(await present('Deutsch')).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.mouse.click(300, 700)
    await isOpen(page).toBe(0)
    await button(page).click()
    await isOpen(page).toBe(1)
    await page.getByRole('link', { name: 'Account' }).first().focus()
    await isOpen(page).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('TRN-08 leads to the same place in the other language, keeps the choice, and sends nobody anywhere', async () => {
    await using visitor = await visit('/shop/?orderby=price#main')
    const { page } = visitor
    await addFromListing(page, 'Plain mug')
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('wc_')))
    await expect.poll(kept).not.toEqual([])
    const before = await kept()
    await button(page).click()
    await link(page, 'Deutsch').evaluate((it) => it.addEventListener('click', (event) => event.preventDefault()))
    await link(page, 'Deutsch').click()
    expect((await kept()).filter((name) => before.includes(name) && name !== 'wc_cart_created')).toEqual([])
    await page.goto(await link(page, 'Deutsch').evaluate((it) => (it as HTMLAnchorElement).href))
    expect(page.url()).toBe(`${shop.url}/de/shop/?orderby=price#main`)
    expect(await page.locator('html').getAttribute('lang')).toBe('de-DE')

    const { lang } = await cookies(page)
    expect(lang).toMatchObject({ value: 'de-DE', path: '/', sameSite: 'Lax' })
    expect((lang?.expires ?? 0) * 1000 - Date.now()).toBeGreaterThan(300 * 24 * 60 * 60 * 1000)
    await page.goto('/shop/')
    expect(page.url()).toBe(`${shop.url}/shop/`)
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
    expect(visitor.errors).toEqual([])
  })

  it('TRN-08 works without scripts, and stands in the menu where the header has no room', async () => {
    await using still = await visit('/cart/', { javaScriptEnabled: false })
    await button(still.page).click()
    await link(still.page, 'العربية').click()
    await still.page.waitForURL('**/ar/cart/')
    expect(await still.page.locator('html').getAttribute('dir')).toBe('rtl')

    await using small = await visit('/shop/', { size: phone })
    const { page } = small
    expect(await menu(page).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' }).getByRole('navigation', { name: 'Language' })
    await drawer.getByRole('link', { name: 'Français' }).waitFor()
    expect(await drawer.getByRole('link').evaluateAll((all) => all.map((it) => it.getAttribute('hreflang')))).toEqual([
      'de-DE',
      'fr-FR',
      'ar',
    ])
    await drawer.getByRole('link', { name: 'Français' }).click()
    await page.waitForURL('**/fr/shop/')
    expect(small.errors).toEqual([])
  })
})

describe('the offer of a language', () => {
  it('TRN-08 is made in the language that the browser asks for, without moving anything, and is put away for good', async () => {
    await using visitor = await aShopper(browser, shop, { locale: 'de-AT' })
    const { page } = visitor
    await pointerAtRest(page)
    await page.addInitScript(() => {
      Object.assign(window, { shifts: 0 })
      new PerformanceObserver((list) => {
        // Proof of the cast: entries of this type have a value.
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          Object.assign(window, { shifts: Reflect.get(window, 'shifts') + entry.value })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/shop/')
    expect(await offer(page).count()).toBe(0)
    await page.mouse.move(200, 200)
    await offer(page).waitFor()
    expect(await offer(page).getAttribute('lang')).toBe('de-DE')
    const view = offer(page).getByRole('link', { name: 'Diese Seite auf Deutsch ansehen' })
    expect(await view.getAttribute('href')).toMatch(/\/de\/shop\/$/)
    expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0)
    expect(await violations(page)).toEqual([])

    await offer(page).getByRole('button').click()
    await expect.poll(() => offer(page).count()).toBe(0)
    expect((await cookies(page)).lang_hint).toMatchObject({ value: 'dismissed', path: '/', sameSite: 'Lax' })
    const again = languagesScript(page)
    await page.reload()
    await page.mouse.move(220, 220)
    await again
    expect(await offer(page).count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('TRN-08 is not made to who reads the page, or reads none of its languages; the choice goes before the browser', async () => {
    await using reader = await visit('/shop/', { locale: 'en-GB' })
    expect(await offer(reader.page).count()).toBe(0)
    await using stranger = await visit('/de/shop/', { locale: 'fi-FI' })
    expect(await offer(stranger.page).count()).toBe(0)
    await reader.page.context().addCookies([{ name: 'lang', value: 'fr-FR', url: shop.url }])
    await reader.page.goto('/cart/')
    await reader.page.mouse.move(240, 240)
    await offer(reader.page).waitFor()
    expect(await offer(reader.page).getAttribute('lang')).toBe('fr-FR')
  })
})

it.each([
  ['/de/', 320],
  ['/fr/', 360],
  ['/ar/', 360],
] as const)('at %s the way to the cart stays in its notice at %i px', async (slug, width) => {
  await using visitor = await aShopper(browser, shop, { size: phone, javaScriptEnabled: false })
  const { page } = visitor
  await page.setViewportSize({ width, height: 700 })
  await page.goto(`${slug}shop/?add-to-cart=${await shop.idOf('MUG')}`)
  const notice = page.locator('.woocommerce-message')
  const [box, link] = await Promise.all([notice.boundingBox(), notice.locator('a').boundingBox()])
  if (!box || !link) throw new Error('there is no notice with a link')
  expect(link.y + link.height).toBeLessThan(box.y + box.height)
})

it('in Arabic what is typed is read from its own side, and stands on that of the page', async () => {
  await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(`/ar/shop/?add-to-cart=${await shop.idOf('MUG')}`)
  await page.goto('/ar/checkout/')
  await page.locator('#billing_address_1').fill('1 Main Street')
  await page.locator('#billing_city').fill('دبي')
  const sides = (id: string) =>
    page.locator(id).evaluate((it) => [getComputedStyle(it).direction, getComputedStyle(it).textAlign])
  expect(await sides('#billing_address_1')).toEqual(['ltr', 'right'])
  expect(await sides('#billing_city')).toEqual(['rtl', 'right'])
  for (const id of ['#billing_phone', '#billing_postcode', '#billing_email'])
    expect([id, ...(await sides(id))]).toEqual([id, 'ltr', 'right'])
  // Nothing typed: the placeholder is a text of the page.
  expect(await sides('#order_comments')).toEqual(['rtl', 'right'])
})

it('a shop of one language has nothing of all this', async () => {
  const [own] = await Promise.all([aShop({ wallet: false })])
  const html = await (await fetch(`${own.url}/shop/`)).text()
  await own.close()
  expect(html).not.toMatch(/data-languages|language-offer|\/assets\/language-links-/)
})
