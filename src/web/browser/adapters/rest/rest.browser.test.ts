import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restPlace } from '#contract/shared/rest.ts'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
let manager: Staff
let built: Bundle
beforeAll(async () => {
  ;[browser, shop, built] = await Promise.all([
    aBrowser(),
    aShop({ wallet: false }),
    bundle('tests/support/browser-modules/rest-entry.ts'),
  ])
  manager = await staffMember(shop, 'mara@example.test', 'shop_manager')
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
})

const refusals = /the server responded with a status of (401|403|404|500)/

/** A page of the shop for a logged-in merchant, with the client in it. */
async function aDesk() {
  const visitor = await aShopper(browser, shop, { expectedErrors: [refusals] })
  const { page } = visitor
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/(wp-json|wp-admin)\//.test(pathname)) return
    asked.push(`${request.headers()['x-http-method-override'] ?? request.method()} ${pathname}`)
  })
  await page.route('**/assets/rest-entry.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: built.files.get(built.entry) ?? '' }),
  )
  await page.goto(urls.account())
  const form = page.locator('form.woocommerce-form-login')
  await form.getByRole('textbox', { name: /^Username/ }).fill(manager.email)
  await form.getByLabel('Password', { exact: false }).first().fill(goodPassword)
  await form.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Hello, ').waitFor()
  // As text: the test runner would rewrite the import.
  await page.evaluate("import('/assets/rest-entry.js')")
  asked.length = 0
  return Object.assign(visitor, { asked })
}

type Asked = { nonce?: string; request: Record<string, unknown>; file?: string; giveUp?: boolean; words?: object }

/** Runs a call by the client in the page: returns its response or its rejection. */
function ask(page: Page, { nonce = '', request, file, giveUp = false, words = {} }: Asked): Promise<unknown> {
  return page.evaluate(
    async ({ nonce, request, file, giveUp, words, restPlace }) => {
      const rest = Reflect.get(window, 'createRest')({ ...restPlace, nonce, words })
      const given: Record<string, unknown> = { ...request }
      if (file !== null) {
        const bytes = Uint8Array.from(atob(file), (sign) => sign.charCodeAt(0))
        const form = new FormData()
        form.append('file', new File([bytes], 'mug & bowl.png', { type: 'image/png' }))
        given.body = form
      }
      const controller = new AbortController()
      if (giveUp) given.signal = controller.signal
      const answer = rest(given)
      if (giveUp) controller.abort()
      try {
        return { answer: await answer }
      } catch (error) {
        const { code, message, data, name } = error as Record<string, unknown>
        return { refused: { code, message, data, name } }
      }
    },
    { nonce, request, file: file ?? null, giveUp, words, restPlace },
  )
}

describe('the REST client in a page of the shop', () => {
  it('REST-01 REST-02 REST-03 finds the way to the user’s own record, without a nonce at first', async () => {
    await using desk = await aDesk()
    const path = `/wp/v2/users/${manager.id}`
    const data = { woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } }
    expect(await ask(desk.page, { request: { path, method: 'PUT', data } })).toMatchObject({
      answer: { id: manager.id, woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } },
    })
    const own = urls.restUser(manager.id)
    expect(desk.asked).toEqual([`PUT ${own}`, `GET ${urls.adminAjax}`, `PUT ${own}`])
    const other = await ask(desk.page, { request: { path: `/wp/v2/users/${manager.id + 1}` } })
    expect(other).toMatchObject({ refused: { code: 'rest_forbidden', data: { status: 403 }, name: 'RestError' } })
    expect(desk.errors).toEqual([])
  })

  it('REST-04 REST-06 puts a picture into the library, lists all of it, and takes it out again', async () => {
    await using desk = await aDesk()
    const file = (await readFile(join(import.meta.dirname, '../../../../../tests/fixtures/images/mug.png'))).toString(
      'base64',
    )
    const before = (await shop.db.sql`select id from images`).length
    const uploaded = (await ask(desk.page, { request: { path: '/wp/v2/media', method: 'POST' }, file })) as {
      answer: { id: number; source_url: string }
    }
    // The mug existed before the test: it stays unchanged.
    expect((await shop.db.sql`select id from images`).length).toBe(before)
    const list = (await ask(desk.page, { request: { path: '/wp/v2/media?per_page=-1' } })) as {
      answer: { id: number }[]
    }
    expect(list.answer.map(({ id }) => id)).toContain(uploaded.answer.id)
    expect(list.answer.length).toBe(before)
    const path = `/wp/v2/media/${uploaded.answer.id}?force=true`
    expect(await ask(desk.page, { request: { path, method: 'DELETE' } })).toMatchObject({
      refused: { code: 'rest_cannot_delete', data: { status: 409 } },
    })
    expect(desk.asked.at(-1)).toBe(`DELETE ${urls.rest(`wp/v2/media/${uploaded.answer.id}`)}`)
  })

  it('REST-07 says what is wrong when there is no connection, no JSON, or nothing said', async () => {
    await using desk = await aDesk()
    const { page } = desk
    const request = { path: '/broken' }
    const answerWith = async (body: string, status: number) => {
      await page.unroute('**/wp-json/broken*')
      await page.route('**/wp-json/broken*', (route) => route.fulfill({ status, body, contentType: 'text/html' }))
    }
    await answerWith('<h1>Critical error</h1>', 500)
    const words = { invalidJson: 'Das war kein JSON.' }
    expect(await ask(page, { request })).toMatchObject({
      refused: { code: 'invalid_json', message: 'The response is not a valid JSON response.' },
    })
    expect(await ask(page, { request, words })).toMatchObject({ refused: { message: 'Das war kein JSON.' } })
    await answerWith('{}', 500)
    expect(await ask(page, { request })).toMatchObject({
      refused: { code: 'unknown_error', message: 'An unknown error occurred.' },
    })
    await page.unroute('**/wp-json/broken*')
    await page.route('**/wp-json/broken*', (route) => route.abort('connectionrefused'))
    expect(await ask(page, { request })).toMatchObject({
      refused: { code: 'fetch_error', message: 'You are probably offline.' },
    })
    expect(await ask(page, { request: { path: '/wp/v2/media' }, giveUp: true })).toMatchObject({
      refused: { name: 'AbortError' },
    })
  })

  it('takes at most 4 KB, and nothing of it comes with every page', async () => {
    const sizes = built.eager.map((name) => gzipSync(built.files.get(name) ?? '', { level: 9 }).byteLength)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4 * 1024)
    const { files, eager } = await bundle('src/web/browser/main.ts')
    const trace = 'X-HTTP-Method-Override'
    expect(eager.some((name) => files.get(name)?.includes(trace))).toBe(false)
    expect([...files.values()].some((code) => code.includes(trace))).toBe(true)
  })
})

describe('the banner of a shop that is not open yet', () => {
  it('STORE-02 REST-03 goes for good also when its page has been open for a day', async () => {
    await writeSettings(shop.db, { comingSoon: true })
    await reconfigured(shop)
    await using desk = await aDesk()
    const { page } = desk
    await page.goto('/shop/')
    const banner = page.locator('#coming-soon-footer-banner')
    await banner.waitFor()
    const link = banner.getByRole('button', { name: 'Dismiss' })
    await link.evaluate((it) => it.setAttribute('data-rest-nonce', '0123456789'))
    await page.waitForLoadState('networkidle')
    desk.asked.length = 0
    const sent = page.waitForRequest((request) => request.url().includes('/wp/v2/users/'))
    await link.press('Enter')
    const request = await sent
    expect([request.method(), request.headers()['content-type'], request.postData()]).toEqual([
      'POST',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'woocommerce_meta%5Bcoming_soon_banner_dismissed%5D=yes',
    ])
    await banner.waitFor({ state: 'hidden' })
    const own = urls.restUser(manager.id)
    expect(desk.asked).toEqual([`POST ${own}`, `GET ${urls.adminAjax}`, `POST ${own}`])
    await page.goto('/cart/')
    expect(await banner.count()).toBe(0)
    await writeSettings(shop.db, { comingSoon: false })
    await reconfigured(shop)
    expect(desk.errors).toEqual([])
  })

  it('STORE-02 goes from its page whatever becomes of the call', async () => {
    await writeSettings(shop.db, { comingSoon: true })
    await reconfigured(shop)
    await using desk = await aDesk()
    const { page } = desk
    await page.goto('/shop/')
    const banner = page.locator('#coming-soon-footer-banner')
    await banner.waitFor()
    await page.waitForLoadState('networkidle')
    await page.route('**/wp-json/wp/v2/users/**', (route) => route.fulfill({ status: 500, body: 'no' }))
    await banner.getByRole('button', { name: 'Dismiss' }).click()
    await banner.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
    await page.goto('/cart/')
    await banner.waitFor()
  })
})
