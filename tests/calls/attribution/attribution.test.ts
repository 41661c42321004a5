import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customersCommand } from '#cli/customers/customers.ts'
import { ordersCommand } from '#cli/orders/orders.ts'
import { attributionFieldNames, attributionFields, attributionInput } from '#contract/attribution/attribution.ts'
import { settingsElementId } from '#contract/shared/browser-settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { eraseCustomer } from '#shop/customers/erase-customer.ts'
import { exportCustomer } from '#shop/customers/export-customer.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aCustomer, goodPassword, mailTo } from '#tests/support/customers/customer.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148'

let shop: TestShop
let without: TestShop
let tools: Tools
beforeAll(async () => {
  ;[shop, without] = await Promise.all([
    aShop({ settings: { privacy: { keepOrderData: false } } }),
    aShop({ wallet: false, settings: { attribution: { enabled: false } } }),
  ])
  tools = shop.shop.application.tools
})
afterAll(async () => {
  await shop?.close()
  await without?.close()
})

/** The hidden fields of a form, as the tracker fills them. */
const fieldsOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [`wc_order_attribution_${field}`, value]))
const emptyFields = Object.fromEntries(attributionFieldNames.map((field) => [attributionInput(field), '']))

const trackerCookie = (values: Readonly<Record<string, string>>) =>
  encodeURIComponent(
    Object.entries(values)
      .map((pair) => pair.join('='))
      .join('|||'),
  )
const trackerCookies = {
  sbjs_current: trackerCookie({ typ: 'organic', src: 'google', mdm: 'organic', cmp: '(none)' }),
  sbjs_first: trackerCookie({ typ: 'utm', src: 'news', mdm: 'email', cmp: 'spring' }),
  sbjs_udata: trackerCookie({ vst: '2', uip: '(none)', uag: phone }),
}
const ofCookies = {
  source_type: 'organic',
  utm_source: 'google',
  utm_medium: 'organic',
  session_count: '2',
  user_agent: phone,
  device_type: 'Mobile',
  first: { source_type: 'utm', utm_source: 'news', utm_medium: 'email', utm_campaign: 'spring' },
}

const attributionOf = async (id: number, at: TestShop = shop) =>
  (await at.db.kysely.selectFrom('orders').select('attribution').where('id', '=', id).executeTakeFirstOrThrow())
    .attribution

let count = 0
const aShopper = (at: TestShop = shop) => new Shopper(at, `tracked${++count}`)

async function order(shopper: Shopper, fields: Record<string, string>): Promise<number> {
  await shopper.add('MUG')
  await shopper.openCheckout()
  const form = { ...shopper.form('cod'), ...fields }
  const response = await shopper.post(urls.wcAjax('checkout'), form, { 'user-agent': phone })
  const answer = (await response.json()) as { result: string; messages?: string; order_id: number }
  expect(answer.result, answer.messages).toBe('success')
  return answer.order_id
}

const settingsIn = (html: string): Record<string, unknown> =>
  JSON.parse(new RegExp(`id="${settingsElementId}"[^>]*>(.*?)</script>`, 's').exec(html)?.[1] ?? '{}')

describe('what pages carry for the tracker', () => {
  it('ATTR-01 every page has its settings, the forms that buy and register have one place for its fields', async () => {
    const shopper = aShopper()
    await shopper.add('MUG')
    const checkout = await shopper.openCheckout()
    expect(checkout.match(/<wc-order-attribution-inputs>/g)).toHaveLength(1)
    const form = /<form name="checkout".*?<\/form>/s.exec(checkout)?.[0] ?? ''
    expect(form).toContain('<wc-order-attribution-inputs></wc-order-attribution-inputs>')
    const account = await shopper.page(urls.account())
    const register = /<form class="[^"]*\bregister\b.*?<\/form>/s.exec(account)?.[0] ?? ''
    expect(register).toContain('<wc-order-attribution-inputs></wc-order-attribution-inputs>')
    const home = await shopper.page(urls.shop())
    expect(home).not.toContain('<wc-order-attribution-inputs>')
    for (const html of [checkout, account, home]) {
      // Nested, so that numbers and booleans are such.
      expect(settingsIn(html).wc_order_attribution).toEqual({
        params: {
          lifetime: 6,
          session: 30,
          base64: false,
          ajaxurl: '/wp-admin/admin-ajax.php',
          prefix: 'wc_order_attribution_',
          allowTracking: true,
          consentCategory: 'marketing',
        },
        fields: attributionFields,
      })
    }
  })

  it('P13 ATTR-05 a shop that asks its visitors first allows nothing before', async () => {
    await writeSettings(without.db, { attribution: { enabled: true }, consent: { banner: true } })
    await reconfigured(without)
    try {
      const html = await aShopper(without).page(urls.shop())
      expect(settingsIn(html).wc_order_attribution).toMatchObject({ params: { allowTracking: false } })
    } finally {
      await writeSettings(without.db, { attribution: { enabled: false }, consent: { banner: false } })
      await reconfigured(without)
    }
  })

  it('a shop that does not want to know has none of it, and keeps nothing that is sent', async () => {
    const shopper = aShopper(without)
    shopper.takeCookies(trackerCookies)
    const id = await order(shopper, fieldsOf({ source_type: 'utm', utm_source: 'news' }))
    expect(await attributionOf(id, without)).toEqual({})
    await shopper.add('MUG')
    const html = await shopper.openCheckout()
    expect(html).not.toContain('wc-order-attribution-inputs')
    expect(settingsIn(html)).not.toHaveProperty('wc_order_attribution')
  })
})

describe('what an order keeps', () => {
  it('ATTR-01 ATTR-08 the posted fields, the device, and how the first visit began', async () => {
    const shopper = aShopper()
    shopper.takeCookies({ sbjs_first: trackerCookies.sbjs_first })
    const values = {
      source_type: 'referral',
      referrer: 'https://blog.example/post?x=1',
      utm_campaign: '(none)',
      utm_source: 'blog.example',
      utm_medium: 'referral',
      utm_content: '/post',
      session_entry: 'https://shop.test/mug/?a=b',
      session_start_time: '2026-01-05 10:20:30',
      session_pages: '4',
      session_count: '2',
      user_agent: '',
    }
    const { utm_campaign: _, user_agent: __, ...kept } = values
    const id = await order(shopper, { ...emptyFields, ...fieldsOf(values) })
    expect(await attributionOf(id)).toEqual({
      ...kept,
      user_agent: phone,
      device_type: 'Mobile',
      first: ofCookies.first,
    })
  })

  it('P13 ATTR-05 nothing of a visitor who is not to be remembered, although cookies are left', async () => {
    const shopper = aShopper()
    shopper.takeCookies(trackerCookies)
    expect(await attributionOf(await order(shopper, emptyFields))).toEqual({})
  })

  it('ATTR-08 of a purchase by the wallet’s own button what the cookies say', async () => {
    const shopper = aShopper()
    shopper.takeCookies(trackerCookies)
    const { walletOrderId } = await shopper.startExpress('MUG', 1)
    const [row] = await shop.db.sql`select order_id from wallet_orders where id = ${walletOrderId}`
    expect(await attributionOf(Number(row?.order_id))).toEqual(ofCookies)
    await shopper.approve(walletOrderId)
    // In the app of the provider the way back carries no cookies of the tracker: what was kept stays.
    shopper.takeCookies({ sbjs_current: '', sbjs_first: '', sbjs_udata: '' })
    await shopper.returnFromWallet(walletOrderId)
    expect(await attributionOf(Number(row?.order_id))).toEqual(ofCookies)
  })

  it('ATTR-08 of the payment routes what comes with the form, flat', async () => {
    const shopper = aShopper()
    await shopper.add('MUG')
    await shopper.openCheckout()
    const form = { ...shopper.form('ppcp'), ...emptyFields, ...fieldsOf({ source_type: 'utm', utm_source: 'app' }) }
    const response = await shopper.rest('cart/order', { ...form, context: 'checkout' })
    const walletOrderId = (await response.json()) as string
    const [row] = await shop.db.sql`select order_id from wallet_orders where id = ${walletOrderId}`
    expect(await attributionOf(Number(row?.order_id))).toMatchObject({ source_type: 'utm', utm_source: 'app' })
    // The same press once more, by a visitor who has taken consent back meanwhile.
    await shopper.rest('cart/order', { ...form, ...emptyFields, context: 'checkout' })
    expect(await attributionOf(Number(row?.order_id))).toEqual({})
  })

  it('what strangers send is stored as text, of bounded length, and everything else of the order holds', async () => {
    const shopper = aShopper()
    const long = 'x'.repeat(8192)
    // Bytes that are no UTF-8, and a cookie of 8 KB.
    shopper.takeCookies({ sbjs_first_add: 'ep=\u00e9\u00ff|||rf=%E9', sbjs_first: `%E0%A4%A|||typ=${long}` })
    const hostile = Object.fromEntries(
      attributionFieldNames.map((field, index) => [
        field,
        [`<img src=x onerror=alert(1)>${long}`, `'; drop table orders; --\u202e${long}`, `\u001b]0;owned\u0007${long}`][
          index % 3
        ] ?? '',
      ]),
    )
    const id = await order(shopper, fieldsOf(hostile))
    const kept = await attributionOf(id)
    const texts = Object.values({ ...kept, first: '' }) as string[]
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(2000)
    expect(texts.join()).toContain('<img src=x onerror=alert(1)>')
    expect(JSON.stringify(kept)).not.toMatch(/[\p{Cc}\u202e]/u)
    const { out } = await runCommand(ordersCommand, shop.db, 'show', String(id))
    expect(out).toContain('<img src=x onerror=alert(1)>')
    expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  })

  it('lists and maps in the place of texts are none', async () => {
    const id = await order(aShopper(), {
      'wc_order_attribution_source_type[]': 'utm',
      'wc_order_attribution_utm_source[a][b]': 'x',
    })
    expect(await attributionOf(id)).toEqual({})
  })
})

describe('who learns of it', () => {
  it('ATTR-08 the shop reads it in the message about a new order, as text; the customer does not', async () => {
    const shopper = aShopper()
    const id = await order(shopper, fieldsOf({ source_type: 'utm', utm_source: '<b>spring</b> & co' }))
    const toShop = await mailTo(shop, 'owner@example.test', new RegExp(`Subject: .*${id}`))
    expect(toShop).toContain('Origin: Source: <b>spring</b> & co')
    expect(toShop).toContain('Source: &lt;b&gt;spring&lt;/b&gt; &amp; co')
    const toCustomer = await mailTo(shop, shopper.email, /Subject: /)
    expect(toCustomer).not.toContain('spring')
  })

  it('ATTR-08 it is given to the customer with all other data, and erased with them', async () => {
    const ida = aCustomer(shop, 'ida@example.test')
    await ida.post('/my-account/', {
      email: ida.email,
      password: goodPassword,
      register: 'Register',
      'woocommerce-register-nonce': ida.nonce('woocommerce-register'),
      ...fieldsOf({ source_type: 'organic', utm_source: 'bing' }),
    })
    const [customer] = await shop.db.sql`select id, attribution from customers where email = ${ida.email}`
    expect(customer?.attribution).toMatchObject({ source_type: 'organic', utm_source: 'bing' })
    const { out: shown } = await runCommand(customersCommand, shop.db, 'show', ida.email)
    expect(shown).toMatch(/^Came from +Organic: Bing$/m)
    const customerId = Number(customer?.id)
    const id = await order(aShopper(), {
      ...fieldsOf({
        source_type: 'utm',
        utm_source: 'news',
        utm_campaign: 'spring',
        utm_term: 'ida vale',
        referrer: 'https://social.example/ida.vale',
        session_entry: 'https://shop.test/?email=ida@example.test',
      }),
    })
    const first = { source_type: 'organic', utm_source: 'bing', session_entry: 'https://shop.test/?name=ida' }
    await shop.db.sql`update orders set customer_id = ${customerId},
      attribution = attribution || ${shop.db.sql.json({ first })} where id = ${id}`
    expect(await exportCustomer(tools, customerId)).toMatchObject({
      account: { cameFrom: { utm_source: 'bing' } },
      orders: [{ number: id, cameFrom: { utm_source: 'news', referrer: 'https://social.example/ida.vale' } }],
    })
    await transitionOrder(tools, id, { to: 'completed', note: 'Sent.' })
    expect(await eraseCustomer(tools, customerId, 'tester')).toEqual({ ok: true })
    // What is a campaign of the shop's stays for its figures.
    expect(await attributionOf(id)).toEqual({
      source_type: 'utm',
      utm_source: 'news',
      utm_campaign: 'spring',
      device_type: 'Mobile',
      first: { source_type: 'organic', utm_source: 'bing' },
    })
  })

  it('ATTR-08 an account that comes with an order, or by mail, keeps it as well', async () => {
    const fields = fieldsOf({ source_type: 'utm', utm_source: 'news' })
    const shopper = aShopper()
    await order(shopper, { ...fields, createaccount: '1', account_password: goodPassword })
    const kept = async (email: string) =>
      (await shop.db.sql`select attribution from customers where email = ${email}`)[0]
    expect(await kept(shopper.email)).toMatchObject({ attribution: { utm_source: 'news', device_type: 'Mobile' } })

    await writeSettings(shop.db, { accounts: { passwordByMail: true } })
    await reconfigured(shop)
    const lea = aCustomer(shop, 'lea@example.test')
    await lea.post('/my-account/', {
      email: lea.email,
      register: 'Register',
      'woocommerce-register-nonce': lea.nonce('woocommerce-register'),
      ...fields,
    })
    await expect.poll(() => kept(lea.email), { timeout: 30_000 }).toMatchObject({ attribution: { utm_source: 'news' } })
  })
})
