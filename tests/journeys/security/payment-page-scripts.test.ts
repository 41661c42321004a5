import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyReportPath } from '#contract/operations/csp-report.ts'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { allMethodSettings } from '#tests/support/payments/saved-methods.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { addFromListing, aShopper, fillCheckout } from '../fixtures/shopper.ts'
import { hereIAm } from '../payments/fixtures/browsing.ts'
import { cardMethod } from '../payments/fixtures/card.ts'

type Entry = { name: string; owner: 'shop' | 'PayPal'; origin: string; hash: string; purpose: string }
const reference = join(import.meta.dirname, '../../../docs/reference')
const built = join(import.meta.dirname, '../../../dist/client/assets')
const inventory: Entry[] = JSON.parse(readFileSync(join(reference, 'payment-page-scripts.json'), 'utf8'))

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: {
        paypal: {
          ...allMethodSettings.paypal,
          sections: ['product', 'cart', 'minicart', 'checkout', 'order_pay', 'add_payment_method'],
        },
      },
    }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

/** The name of a script as the inventory has it: of our own without the digest of its content. */
function nameOf(address: string): string {
  const url = new URL(address)
  if (url.origin !== shop.url) return url.origin === new URL(shop.emulator?.url ?? '').origin ? 'provider' : address
  return /^\/assets\/(.+)-[\w-]{8}\.js$/.exec(url.pathname)?.[1] ?? url.pathname
}

/** Waits until the provider's script has loaded, which it does when somebody is there. */
async function providerCame(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === urls.checkout()) await fillCheckout(page)
  // What a method needs comes when it is chosen.
  const card = cardMethod(page)
  if ((await card.count()) > 0) await card.check()
  await expect
    .poll(
      async () => {
        await hereIAm(page)
        return page.evaluate(() => 'paypal' in window)
      },
      { timeout: 30_000, message: `the provider's script on ${page.url()}` },
    )
    .toBe(true)
}

/** What ran on a page as a script, by any way that there is; frames have an origin and a policy of their own. */
async function scriptsOf(page: Page, path: string): Promise<Set<string>> {
  const names = new Set<string>()
  const note = (request: { resourceType(): string; frame(): unknown; url(): string }) => {
    if (request.resourceType() === 'script' && request.frame() === page.mainFrame()) names.add(nameOf(request.url()))
  }
  page.on('request', note)
  await page.goto(path)
  await providerCame(page)
  // Card fields keep asking: whoever is not idle by then has loaded long ago.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
  page.off('request', note)
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ src, type, text }) => src === '' && text !== '' && !/json|^text\/(?!javascript)/.test(type))
      .map(({ text }) => `inline ${text.slice(0, 60)}`),
  )
  return new Set([...names, ...inline])
}

describe('scripts of the pages where one pays', () => {
  it('P14 T28 are those of the inventory and no others, from where the policy says', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const shopper = new Shopper(shop, 'grace')
    const { orderId } = await shopper.startToPay()
    const [{ key } = { key: '' }] = await shop.db.sql<{ key: string }[]>`select key from orders where id = ${orderId}`
    const customer = aCustomer(shop, `ada+${randomUUID()}@example.test`)
    await customer.register()
    const token = customer.cookies.get(shop.shop.application.sessionCookie) ?? ''
    await page.context().addCookies([{ name: shop.shop.application.sessionCookie, value: token, url: shop.url }])
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    const loaded = new Map<string, string[]>()
    const paths = ['/product/plain-mug/', '/cart/', '/checkout/', urls.orderPay(orderId, key), urls.addPaymentMethod()]
    for (const path of paths) {
      for (const name of await scriptsOf(page, path)) loaded.set(name, [...(loaded.get(name) ?? []), path])
      const answer = await page.context().request.get(path)
      const [, sources = ''] = /script-src ([^;]*)/.exec(answer.headers()['content-security-policy'] ?? '') ?? []
      // The emulator stands where the provider's published hosts would.
      expect(sources.split(' ').sort()).toEqual(["'self'", new URL(shop.emulator?.url ?? '').origin].sort())
    }
    const known = new Set(inventory.map(({ name }) => name))
    const unknown = [...loaded].filter(([name]) => !known.has(name))
    expect(unknown, 'write these into docs/reference/payment-page-scripts.json and .md').toEqual([])
    expect(loaded.has('provider') && loaded.has('main')).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('P14 T28 that somebody adds do not run, and the shop hears of each', async () => {
    const foreign = 'https://evil.example/skimmer.js'
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/./] })
    const { page } = visitor
    const asked: string[] = []
    await page.context().route('https://evil.example/**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({ body: 'window.skimmed = true', contentType: 'text/javascript' })
    })
    const reports: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(policyReportPath)) reports.push(request.postData() ?? '')
    })
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith(policyReportPath)) answers.push(response.status())
    })
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    for (const path of ['/checkout/', '/cart/', '/product/plain-mug/']) {
      const before = reports.length
      await page.goto(path)
      await page.evaluate((address) => {
        const loaded = document.createElement('script')
        loaded.src = address
        const inline = document.createElement('script')
        inline.text = 'window.skimmed = true'
        const handler = document.createElement('button')
        handler.setAttribute('onclick', 'window.skimmed = true')
        const frame = document.createElement('iframe')
        frame.src = 'https://evil.example/form'
        document.body.append(loaded, inline, handler, frame)
        handler.click()
      }, foreign)
      // The answers too, before the page is left: those to a page that has gone are not seen.
      await expect.poll(() => reports.length - before, { timeout: 30_000 }).toBeGreaterThanOrEqual(4)
      await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(reports.length)
      expect(await page.evaluate(() => 'skimmed' in window)).toBe(false)
    }
    expect(asked).toEqual([])
    expect(reports.join('\n')).toContain('evil.example')
    // Counted by the shop, as scripts: what an operator is alarmed by.
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(12)
    expect(new Set(answers)).toEqual(new Set([204]))
    const counted = await (await fetch(`${shop.url}/metrics`, { headers: monitorHeaders })).text()
    expect(counted).toMatch(/vitrine_policy_breaches_total\{directive="script-src-elem",script="yes"\} [1-9]/)
  })

  it('P14 the nonce of a page is not on its elements once the provider has loaded', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/checkout/')
    await page.goto('/checkout/')
    const [, nonce = 'none'] =
      /'nonce-([0-9a-f]+)'/.exec((await (await answer).allHeaders())['content-security-policy'] ?? '') ?? []
    await providerCame(page)
    await expect
      .poll(() =>
        page.evaluate(
          (secret) =>
            [...document.querySelectorAll('*')].filter((element) =>
              [...element.attributes].some(({ value }) => value === secret),
            ).length,
          nonce,
        ),
      )
      .toBe(0)
  })

  it('P14 the inventory says of each script whose it is, from where, and what for; and the page for people says the same', () => {
    const page = readFileSync(join(reference, 'payment-page-scripts.md'), 'utf8')
    for (const { name, owner, origin, hash, purpose } of inventory) {
      expect([name, owner, origin, hash, purpose].every((text) => text.length > 3)).toBe(true)
      expect(page).toContain(`| \`${name}\` | ${owner} | ${purpose} |`)
    }
    expect(new Set(inventory.map(({ name }) => name)).size).toBe(inventory.length)
    expect(page.match(/^\| `/gm)).toHaveLength(inventory.length)
  })

  it('P14 the inventory names no script of ours that is not built any more', () => {
    const chunks = new Set(readdirSync(built).map((file) => file.replace(/-[\w-]{8}\.js$/, '')))
    const gone = inventory.filter(({ name, owner }) => owner === 'shop' && !chunks.has(name)).map(({ name }) => name)
    expect(gone).toEqual([])
  })
})
