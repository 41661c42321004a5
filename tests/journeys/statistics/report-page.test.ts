import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#domain/statistics/report-period.ts'
import { asItWas, enlarge, lost, spread } from '#tests/journeys/accessibility/instruments/reflow.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone, type VisitorOptions } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const email = 'mona@example.test'
const patience = { timeout: 20_000 }

let browser: Browser
let shop: TestShop
let today: string
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { languages: [{ tag: 'de-DE' }, { tag: 'ar' }] } }),
  ])
  await staffMember(shop, email, 'shop_manager')
  today = new Date().toISOString().slice(0, 10)
  await fill()
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

/** Two months of visits, with something in every list. */
async function fill(): Promise<void> {
  const put = (dimension: string, day: string, value: string, detail: string, visitors: number) => shop.db.sql`
    insert into stat_count (dimension, grain, day, value, detail, visitors, visits, views)
    values (${dimension}, 'day', ${day}, ${value}, ${detail}, ${visitors}, ${visitors}, ${visitors * 3})
    on conflict (dimension, grain, day, value, detail) do update set visitors = excluded.visitors, views = excluded.views`
  for (let ago = 0; ago < 60; ago += 1) await put('total', addDays(today, -ago), '', '', 100 + ago)
  const lists: Readonly<Record<string, readonly (readonly [value: string, detail: string])[]>> = {
    page: [
      ['/', 'home:0'],
      ['/a-path-that-is-so-long-that-it-has-no-room-in-one-line-of-a-narrow-window/', 'page:0'],
    ],
    channel: ['search', 'direct', 'social', 'email', 'referral', 'paid', 'campaign'].map((one) => [one, ''] as const),
    source: [
      ['google', 'search'],
      ['(direct)', 'direct'],
      ['instagram', 'social'],
    ],
    campaign: [['autumn', 'newsletter / email']],
    country: [
      ['DE', 'header'],
      ['JP', 'language'],
      ['BR', 'header'],
    ],
    language: [
      ['de', ''],
      ['ja', ''],
    ],
    device: [
      ['Mobile', ''],
      ['Desktop', ''],
    ],
    browser: [
      ['Firefox', '151'],
      ['Chrome', '150'],
    ],
    os: [['Windows', '']],
    search: [['linen apron', '']],
    currency: [
      ['USD', ''],
      ['EUR', ''],
    ],
    hour: ['08', '12', '20'].map((hour) => [hour, ''] as const),
  }
  for (const [dimension, rows] of Object.entries(lists)) {
    for (const [place, [value, detail]] of rows.entries())
      await put(dimension, addDays(today, -1), value, detail, 90 - place * 20)
  }
  const at = new Date(Date.now() - 86_400_000)
  await shop.db.sql`
    insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
      payment_method, payment_method_title, created_at, updated_at, paid_at, attribution)
    values ('wc_order_1', 'processing', 'none', 'one', '', 'USD', false, 123456789, '{}', '{}', 'cod', 'Cash', ${at}, ${at}, ${at},
      ${JSON.stringify({ source_type: 'organic', utm_source: 'google' })}::text::jsonb)`
  await shop.db.sql`insert into stat_excluded (day, reason, n) values (${today}, 'robot', 77)`
}

/** Logs in where the page asks for it. */
async function open(page: Page, path = '/statistics/'): Promise<void> {
  await page.goto(path)
  await page.locator('#username').fill(email)
  await page.locator('#password').fill(goodPassword)
  await page.locator('[name="login"]').click()
  await page.locator('.stat-main').waitFor()
  // With its script, without which links are links.
  await page.waitForLoadState()
}

const manager = (options: VisitorOptions = {}) => aShopper(browser, shop, options)
const figure = (page: Page, name: string) =>
  page.locator('.stat-figure', { hasText: name }).locator('.stat-value').first().textContent()
const slider = (page: Page) => page.getByRole('slider', { name: 'Figures for one point of the chart' })
const sumOf = (days: number) => ((100 + 100 + days - 1) * days) / 2
const written = (number: number) => new Intl.NumberFormat('en-US').format(number)

describe('the statistics of the merchant', () => {
  it('STAT-04 work without scripts: every period is a link or a form, every chart a table', async () => {
    await using visitor = await manager({ javaScriptEnabled: false })
    const { page, errors } = visitor
    await open(page)
    expect(await figure(page, 'Visitors')).toBe(written(sumOf(30)))
    await page.getByRole('link', { name: '7 days' }).click()
    await page.waitForURL('**/statistics/?period=7-days')
    expect(await figure(page, 'Visitors')).toBe(written(sumOf(7)))
    await page.getByLabel('From', { exact: true }).fill(addDays(today, -2))
    await page.getByLabel('To', { exact: true }).fill(addDays(today, -1))
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL('**/statistics/?from=*')
    expect(await figure(page, 'Visitors')).toBe('203')
    await page.locator('.stat-traffic summary').click()
    expect(await page.locator('.stat-traffic tbody tr').count()).toBe(2)
    expect(await page.getByRole('row', { name: /Germany/ }).textContent()).toContain('90')
    expect(await page.getByRole('row', { name: /^google 1 / }).textContent()).toContain('$1,234,567.89')
    await page.getByText('Page views that were not counted').waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('STAT-04 another period comes without the page being loaded again, and Back goes to the one before', async () => {
    await using visitor = await manager()
    const { page, errors } = visitor
    await open(page)
    await page.evaluate(() => Object.assign(window, { stayed: true }))
    const stayed = () => page.evaluate(() => 'stayed' in window)
    await page.getByRole('link', { name: '7 days' }).click()
    await expect.poll(() => figure(page, 'Visitors'), patience).toBe(written(sumOf(7)))
    expect(page.url()).toContain('/statistics/?period=7-days')
    expect(await page.getByRole('link', { name: '7 days' }).getAttribute('aria-current')).toBe('true')
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(addDays(today, -6))
    expect(await page.getByRole('status').textContent()).toMatch(/^Shown: /)

    await page.getByLabel('From', { exact: true }).fill(addDays(today, -1))
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => figure(page, 'Visitors'), patience).toBe('201')
    expect(await page.locator('.stat-periods [aria-current]').count()).toBe(0)
    await page.goBack()
    await expect.poll(() => figure(page, 'Visitors'), patience).toBe(written(sumOf(7)))
    await page.goBack()
    await expect.poll(() => figure(page, 'Visitors'), patience).toBe(written(sumOf(30)))
    expect(await stayed()).toBe(true)
    expect(errors).toEqual([])
  })

  it('STAT-04 the figures of a day are shown under the pointer and by the keyboard, and said to screen readers', async () => {
    await using visitor = await manager()
    const { page, errors } = visitor
    await open(page, '/statistics/?period=7-days')
    await page.goto('/statistics/?period=7-days')
    const tip = page.locator('.stat-tip')
    const plot = page.locator('.stat-plot')
    const box = await plot.boundingBox()
    if (!box) throw new Error('there is no chart')
    await page.mouse.move(box.x + (box.width * 1.5) / 7, box.y + box.height / 2)
    await expect.poll(() => tip.isVisible(), patience).toBe(true)
    expect(await tip.textContent()).toContain('Visitors: 105')
    await page.mouse.move(box.x + box.width / 2, box.y - 60)
    await expect.poll(() => tip.isVisible(), patience).toBe(false)

    await slider(page).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await slider(page).getAttribute('aria-valuetext')).toMatch(/^\w+day, .*: Visitors 101, Page views 303$/)
    expect(await tip.textContent()).toContain('Visitors: 101')
    await page.keyboard.press('Home')
    expect(await tip.textContent()).toContain('Visitors: 106')
    // What a new period shows can be looked into as well.
    await page.getByRole('link', { name: '90 days' }).click()
    await expect.poll(() => slider(page).getAttribute('max'), patience).toBe('89')
    expect(errors).toEqual([])
  })

  it('STAT-04 a visitor who comes is counted, and who is online is asked for every 30 seconds while somebody looks', async () => {
    await using visitor = await manager()
    const { page, errors } = visitor
    await page.clock.install()
    await open(page)
    const online = page.locator('.stat-online')
    expect(await online.textContent()).toContain('0 visitors online now')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/statistics/online') && asked.push(request.url()))
    const query = new URLSearchParams({ current_page_type: 'home', page_uri: '/', referred: 'https://www.bing.com/' })
    const hit = await fetch(`${shop.url}/api/stats/hit?${query}`, {
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0',
        'accept-language': 'fr-FR,fr;q=0.9',
      },
    })
    expect(await hit.json()).toMatchObject({ status: true, data: { exclusion: false } })
    const kept = async () => (await shop.db.sql`select 1 from stat_online`).length
    await expect.poll(kept, patience).toBe(1)
    expect(asked).toEqual([])
    await page.clock.runFor(30_000)
    await expect.poll(() => online.textContent(), patience).toContain('1 visitor online now')
    expect(asked.length).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect.poll(() => figure(page, 'Visitors'), patience).toBe('101')
    const [, ...sources] = await page.locator('#stat-sources-title ~ table tr').allTextContents()
    expect(sources.join()).toMatch(/bing/)
    expect(errors).toEqual([])
  })

  it('tells who is no longer logged in, and keeps what is shown', async () => {
    await using visitor = await manager({ expectedErrors: [/status of 40[13]/] })
    const { page, errors } = visitor
    await open(page)
    const before = await figure(page, 'Visitors')
    await page.context().clearCookies()
    await page.getByRole('link', { name: '7 days' }).click()
    await expect.poll(() => page.getByRole('status').textContent(), patience).toContain('no longer logged in')
    expect(await figure(page, 'Visitors')).toBe(before)
    expect(errors).toEqual([])
  })
})

describe('how the statistics look', () => {
  it.each([
    ['a desktop', '/statistics/', {}],
    ['a phone', '/statistics/', { size: phone }],
    ['a dark phone that reads from the right', '/ar/statistics/', { size: phone, colorScheme: 'dark' }],
    ['forced colours', '/statistics/', { forcedColors: 'active' }],
  ] as const)('on %s has no fault that can be measured, and nothing is cut off', async (_, path, options) => {
    await using visitor = await manager(options)
    const { page, errors } = visitor
    await open(page, path)
    await slider(page).or(page.locator('.stat-slider')).waitFor({ state: 'attached' })
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await violations(page)).toEqual([])
    expect(await lost(page)).toEqual([])
    await enlarge(page)
    expect(await lost(page)).toEqual([])
    await asItWas(page)
    await spread(page)
    expect(await lost(page)).toEqual([])
    await asItWas(page)
    expect(errors).toEqual([])
  })

  it('in forced colours lines, bars and the chosen period are seen', async () => {
    await using visitor = await manager({ forcedColors: 'active' })
    const { page } = visitor
    await open(page)
    const paint = (selector: string, property: 'stroke' | 'fill') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const visitors = await paint('.stat-visitors .stat-line', 'stroke')
    expect(visitors).not.toBe(ground)
    expect(visitors).not.toBe(await paint('.stat-views .stat-line', 'stroke'))
    expect(await paint('.stat-times text', 'fill')).not.toBe(ground)
    expect(await paint('.stat-bar rect', 'stroke')).not.toBe(ground)
    expect(await paint('.stat-column', 'fill')).not.toBe(ground)
  })
})
