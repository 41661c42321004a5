import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importCommand } from '#cli/import/import.ts'
import { attributionPrefix } from '#contract/attribution/attribution.ts'
import { orderReviewParameter } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { connect } from '#database/engine/connect.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'
import { size } from '#tests/support/size.ts'
import { aWatched, type Watched } from './fixtures/canary.ts'
import { dealer, scriptPayloads } from './fixtures/payloads.ts'

const payloads = scriptPayloads(size(300, 3000))
const deal = dealer(payloads)
const rounds = size(1, 20)
const products = size(12, 120)

let browser: Browser
let shop: TestShop
let staff: Staff
const titles: string[] = []

beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: { languages: [{ tag: 'de-DE' }], name: `Shop ${deal(60, 1)}`, mail: { from: 'shop@example.test' } },
      also: importHostile,
    }),
  ])
  staff = await staffMember(shop, 'mona@example.test', 'shop_manager')
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

/** A supplier's file of products in which every text is hostile. */
async function importHostile(databaseUrl: string): Promise<void> {
  const cell = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\u0001', '')}"`
  const lines = [
    'Type,SKU,Name,Regular price,Categories,Tags,Short description,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible',
  ]
  for (let at = 0; at < products; at += 1) {
    const plain = (limit: number) => deal(limit).replaceAll(/[,>|]/g, ' ')
    titles.push(`Hostile ${at} ${deal(120)}`)
    lines.push(
      ['simple', `HOSTILE-${at}`, titles.at(-1) ?? '', '5', plain(50), plain(50), '', plain(40), plain(80), '1']
        .map(cell)
        .join(','),
    )
  }
  const file = join(await mkdtemp(join(tmpdir(), 'hostile-')), 'products.csv')
  await writeFile(file, lines.join('\n'))
  const db = connect(databaseUrl, { max: 2 })
  const { code, out, err } = await runCommand(importCommand, db, file)
  await db.close()
  if (code !== 0) throw new Error(`the products were not taken in: ${out}\n${err}`.slice(0, 2000))
}

const agent = () => `Mozilla/5.0 ${deal(150)}`.replaceAll(/[^\x20-\x7e]/g, '')
const inHeader = (text: string) => encodeURI(text).slice(0, 1500)

/** A customer whose every field is hostile. */
async function order(name: string): Promise<{ shopper: Shopper; id: number; received: string }> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  await shopper.add('HOSTILE-0')
  await shopper.openCheckout()
  const address = Object.fromEntries(
    ['billing', 'shipping'].flatMap((kind) =>
      ['first_name', 'last_name', 'company', 'address_1', 'address_2', 'city'].map((key) => [
        `${kind}_${key}`,
        deal(190),
      ]),
    ),
  )
  const told = [
    'utm_source',
    'utm_campaign',
    'utm_term',
    'utm_content',
    'session_entry',
    'user_agent',
    'referrer',
    'source_type',
  ]
  const form = {
    ...shopper.form('cod'),
    ...address,
    ship_to_different_address: '1',
    shipping_country: 'US',
    shipping_state: 'CA',
    shipping_postcode: '95131',
    order_comments: deal(1900),
    createaccount: '1',
    account_password: goodPassword,
    ...Object.fromEntries(told.map((key) => [attributionPrefix + key, deal(250)])),
  }
  const response = await shopper.post(urls.wcAjax('checkout'), form, {
    'user-agent': agent(),
    referer: inHeader(`${shop.url}/${deal(200)}`),
  })
  const answer = (await response.json()) as CheckoutAnswer
  if (answer.result !== 'success' || !answer.order_id) throw new Error(`the order was refused: ${answer.messages}`)
  return { shopper, id: answer.order_id, received: answer.redirect ?? '' }
}

/** What a translator types, and what scripts send on behalf of one. */
async function translateHostile(): Promise<void> {
  const texts = [
    ...['Plain mug', 'Soup bowl', 'A mug for every day.'].map((text) => ({ area: 'content' as const, text })),
    ...['Add to cart', 'Cart', 'Checkout', 'Search', 'Sort by'].map((text) => ({ area: 'interface' as const, text })),
  ]
  const ids = await saveOriginalsForIds(shop.db.kysely, texts, new Date())
  for (const id of ids) {
    if (id === undefined) continue
    await staff.post(urls.adminAjax, {
      action: 'trp_save_translations_regular',
      security: staff.nonce(editorNonces.calls),
      language: 'de-DE',
      status: '2',
      id: String(id),
      forms: JSON.stringify({ '': { translated: deal(300), revision: 0 } }),
    })
  }
  await staff.post('/api/translate', {
    action: 'trp_get_translations_regular',
    security: staff.nonce('gettranslationsnonceregular'),
    language: 'de_DE',
    original_language: 'en_US',
    originals: JSON.stringify(Array.from({ length: 20 }, () => deal(500))),
    dynamic_strings: 'true',
  })
}

async function visitsHostile(): Promise<void> {
  for (let at = 0; at < 12; at += 1) {
    const query = new URLSearchParams({
      wp_statistics_hit: 'yes',
      current_page_type: 'product',
      current_page_id: '1',
      page_uri: btoa(`/product/${encodeURI(deal(200))}/`),
      search_query: btoa(encodeURI(deal(150))),
      referred: `https://blog.example/${encodeURI(deal(200))}`,
      utm_source: deal(100),
      utm_medium: deal(100),
      utm_campaign: deal(100),
    })
    await fetch(`${shop.url}/?${query}`, {
      headers: {
        'user-agent': agent(),
        'accept-language': 'de-DE',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': deal(90, 1).replaceAll(/[^\x20-\x7e]/g, ''),
      },
    })
  }
  await shop.shop.application.statistics.flush()
}

/** The parts of all messages that a reader of mail shows as pages. */
async function mails(): Promise<string[]> {
  const folder = join(shop.dataDir, 'outbox')
  const files = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.eml')).map((file) => readFile(join(folder, file), 'utf8')),
  )
  return texts.flatMap((text) => {
    const [, html] = /^Content-Type: text\/html[\s\S]*?\r?\n\r?\n([\s\S]*?)(?:\r?\n--|$(?![\s\S]))/m.exec(text) ?? []
    if (html === undefined) return []
    const bytes = html
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return [Buffer.from(bytes, 'latin1').toString('utf8')]
  })
}

/** Takes the login of somebody who came by plain requests. */
const become = (watched: Watched, token: string | undefined) =>
  watched.context.addCookies([{ name: shop.shop.application.sessionCookie, value: token ?? '', url: shop.url }])

describe('the instruments', () => {
  it('M11 see a script run, with the policy as long as it is let, and find what has not run yet', async () => {
    const policy = (await fetch(`${shop.url}/shop/`)).headers.get('content-security-policy') ?? ''
    // Those that stand for themselves: what swallows the rest of a page, or leads away from it, would hide the others.
    const plain =
      /^<(?:img src=x|svg onload=|details|input autofocus|video src|audio src|script>pwn\(\d+\)<\/script>|a href|p onm)/
    const body = `<!doctype html>${payloads
      .filter(({ text }) => plain.test(text))
      .map(({ text }) => `<div>${text}</div>`)
      .join('\n')}`
    for (const [bypass, headers, runs] of [
      [false, {}, true],
      [false, { 'content-security-policy': policy }, false],
      [true, { 'content-security-policy': policy }, true],
    ] as const) {
      await using watched = await aWatched(browser, shop.url, bypass)
      await watched.context.route('**/control', (route) =>
        route.fulfill({ body, headers: { 'content-type': 'text/html', ...headers } }),
      )
      const stands = await watched.visit('/control')
      expect(stands.length).toBeGreaterThan(10)
      const scripts = watched.ran.filter((what) => /^\d/.test(what))
      if (runs) await expect.poll(() => new Set(watched.ran.filter((what) => /^\d/.test(what))).size).toBeGreaterThan(5)
      else expect(scripts).toEqual([])
    }
  })
})

describe.each([
  ['with the policy as it is sent', false],
  ['with the policy taken off', true],
])('what strangers wrote, %s', (_, bypass) => {
  it('M11 T17 T18 T19 T20 T7 is text on every page, and runs nowhere', {
    timeout: size(180_000, 3_600_000),
  }, async () => {
    const findings: string[] = []
    const views: string[] = []
    let shown = 0
    for (let round = 0; round < rounds; round += 1) {
      // All come from one address, and more often than anybody may.
      await shop.db.sql`delete from rate_limits`
      const [buyer] = await Promise.all([order(`ada-${bypass}-${round}`), translateHostile(), visitsHostile()])
      await using visitor = await aWatched(browser, shop.url, bypass)
      const see = async (watched: Watched, path: string) => {
        const before = watched.ran.length
        const stands = await watched.visit(path)
        views.push(path.slice(0, 40))
        if ((await watched.page.content()).includes('pwn')) shown += 1
        findings.push(...[...stands, ...watched.ran.slice(before)].map((what) => `${path.slice(0, 120)}: ${what}`))
      }
      const { page } = visitor
      const sees = (path: string) => see(visitor, path)

      // As a stranger, by addresses and cookies.
      const cookies = [
        'currency',
        'sbjs_current',
        'sbjs_first',
        'vitrine_notices',
        'store_notice',
        'wp_consent_marketing',
      ]
      await visitor.context.addCookies(
        cookies.map((name) => ({ name, value: encodeURIComponent(deal(200)), url: shop.url })),
      )
      await page.setExtraHTTPHeaders({ 'user-agent': agent(), 'accept-language': 'en' })
      await sees(`/?${new URLSearchParams({ s: deal(190), post_type: 'product' })}#${encodeURIComponent(deal(200))}`)
      const hostile = new URLSearchParams({
        orderby: deal(100),
        min_price: deal(60),
        filter_colour: deal(100),
        product_tag: deal(100),
        utm_campaign: deal(100),
        wc_error: deal(150),
        paged: deal(40),
      })
      await sees(`/shop/?${hostile}`)
      await sees(
        `/product/linen-shirt/?${new URLSearchParams({ attribute_colour: deal(150), attribute_size: deal(100), [deal(50)]: deal(50) })}#${deal(100)}`,
      )
      await sees(`/no-such-${encodeURIComponent(deal(120))}/`)
      await sees(
        `/my-account/lost-password/?${new URLSearchParams({ key: deal(100), login: deal(100), 'reset-link-sent': deal(50) })}`,
      )
      await sees('/my-account/')
      await page.locator('#username').fill(deal(120).replaceAll('\n', ' '))
      await page.locator('#password').fill('none of ours')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForLoadState('load')
      findings.push(...visitor.ran.map((what) => `log in: ${what}`))

      // A product that is hostile itself, in lists, alone and in the cart, with words in the coupon's field.
      await sees(`/?${new URLSearchParams({ s: 'Hostile', post_type: 'product' })}`)
      const at = round % products
      const slug =
        (await shop.db.sql<{ slug: string }[]>`select slug from products where sku = ${`HOSTILE-${at}`}`)[0]?.slug ?? ''
      await sees(urls.product(slug))
      await page.goto(`/?add-to-cart=${await shop.idOf(`HOSTILE-${at}`)}`)
      for (let coupon = 0; coupon < 2; coupon += 1) {
        await sees('/cart/')
        await page.locator('#coupon_code').fill(deal(100).replaceAll('\n', ' '))
        await page.getByRole('button', { name: 'Apply coupon' }).click()
        await page.locator('.woocommerce-error, .woocommerce-message, .coupon-error-notice').first().waitFor()
      }
      const filled = Object.fromEntries(
        ['first_name', 'company', 'address_1', 'city', 'billing_email', 'order_comments'].map((key) => [
          key,
          deal(190),
        ]),
      )
      const review = Buffer.from(
        JSON.stringify({ payment_method: 'ppcp', paypal_order: deal(60), fields: filled }),
      ).toString('base64')
      await sees(
        `/checkout/?${orderReviewParameter}=${encodeURIComponent(review)}#ppcp_error=${encodeURIComponent(deal(100))}`,
      )
      await sees('/de/product/plain-mug/')
      await sees('/de/shop/')

      // As the customer, who sees it all again.
      await using owner = await aWatched(browser, shop.url, bypass)
      await become(owner, buyer.shopper.cookie(shop.shop.application.sessionCookie))
      await see(owner, buyer.received)
      for (const path of [
        '/my-account/',
        urls.orders(),
        urls.viewOrder(buyer.id),
        urls.addresses(),
        urls.editAddress('billing'),
        urls.editAccount(),
      ])
        await see(owner, path)
      await owner.page.goto(`/?add-to-cart=${await shop.idOf('MUG')}`)
      await see(owner, '/checkout/')
      await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
      const messages = await mails()
      for (const [number, html] of messages.slice(-3).entries()) {
        await owner.context.route(`**/mail-${number}`, (route) =>
          route.fulfill({ body: html, headers: { 'content-type': 'text/html; charset=utf-8' } }),
        )
        await see(owner, `/mail-${number}`)
      }

      // As those who work in the shop.
      await using desk = await aWatched(browser, shop.url, bypass)
      await become(desk, staff.cookies.get(shop.shop.application.sessionCookie))
      for (const path of [
        '/statistics/',
        '/translate/?language=de-DE&path=/product/plain-mug/',
        '/translate/texts/?language=de-DE',
        `/translate/texts/?${new URLSearchParams({ search: deal(100) })}`,
      ])
        await see(desk, path)
    }
    // The proof that something was seen: what is hostile stands on the pages, as text.
    expect(views.length).toBeGreaterThan(25)
    expect(shown).toBeGreaterThan(12)
    expect(findings).toEqual([])
  })
})
