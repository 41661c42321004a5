import { createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { canonicalJson, sha256 } from '#shop/shared/digest.ts'
import { translateQueue } from '#shop/translation/machine/translate-queue.ts'
import {
  type Canaries,
  canariesIn,
  canariesInTables,
  filesBelow,
  keepJobs,
  listenTo,
} from '#tests/security/support/canaries.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, type Customer, mailedLink } from '#tests/support/customers/customer.ts'
import { theOneOrder, until } from '#tests/support/payments/bookkeeping.ts'
import { allMethodSettings, createOrder, payApproved, placeWith } from '#tests/support/payments/saved-methods.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, clientFolder, freePort, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'
import { type Engines, translationEngines } from '#tests/support/translation/translation-engines.ts'

/** Of the operator. They stand in the environment, and go to the one service that each belongs to. */
const secrets = {
  'client secret': 'canaryClientSecret7Qw2',
  'webhook id': 'CANARYWEBHOOKID8842X',
  'signing secret': 'canary signing secret that is long enough',
  'translation key': 'canaryTranslationKey5Rt1',
  'mail password': 'canaryMailPassword3Lk9',
}
const passwords = {
  'first password': 'walrus-Canary-Lantern-71',
  'second password': 'meadow-Canary-Pylon-38',
  'wrong password': 'pelican-Canary-Wrong-55',
}
/** A number that passes every check, and its code, which alone is too short to look for. */
const card = { 'card number': '4917484589897107', 'card in groups': '4917 4845 8989 7107', 'card code': 'CVC-90817263' }
const person = {
  mail: 'wilhelmina.canary@example.test',
  'other mail': 'moved.canary@example.test',
  'third mail': 'keeper.canary@example.test',
  'first name': 'Wilhelmincanary',
  'last name': 'Quagmirecanary',
  street: '4711 Canarybird Crescent',
  phone: '4085557193',
  note: 'Leave it with canaryneighbour Ottilie',
}
/** Handed out while the test runs: session and access tokens, links, keys. */
const tokens: Record<string, string> = {}

let shop: TestShop
let engines: Engines
let sound: ReturnType<typeof listenTo>
let key: ApiKeyPair
/** A form with a password that came with a key for repeats. */
let withAccount: Record<string, string> = {}
let orders: { orderId: number; key: string }[] = []
const log: string[] = []
const spoken: string[] = []
const loud = pino({ level: 'trace' }, { write: (line) => void log.push(line) })

const stdout = process.stdout.write.bind(process.stdout)
const stderr = process.stderr.write.bind(process.stderr)

/** The usual network; notes the provider's tokens, which are secrets as much as ours. */
const network = {
  fetch: async (url: string | URL, init?: RequestInit) => {
    const response = await fetch(url, init)
    if (String(url).includes('/v1/oauth2/token')) {
      const { access_token } = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { access_token?: string }
      if (access_token) tokens[`access token ${Object.keys(tokens).length}`] = access_token
    }
    return response
  },
}

beforeAll(async () => {
  process.stdout.write = ((text: string) => spoken.push(String(text)) > 0) as typeof process.stdout.write
  process.stderr.write = ((text: string) => spoken.push(String(text)) > 0) as typeof process.stderr.write
  engines = await translationEngines()
  shop = await aShop({
    secrets: {
      client: secrets['client secret'],
      webhook: secrets['webhook id'],
      signing: secrets['signing secret'],
      translation: secrets['translation key'],
    },
    environment: { log: loud, network },
    settings: {
      ...allMethodSettings,
      accounts: { argon2: { memoryKiB: 8192, passes: 1, parallelism: 1 } },
      payments: { cod: { enabled: true } },
      languages: [{ tag: 'de-DE' }],
      translation: { machine: { engine: 'deepl', address: engines.url } },
    },
  })
  sound = listenTo(shop.url)
  await keepJobs(shop.db)
  await everythingHappens()
  // What was begun in the background is over when the shop has stopped, but then nobody can look at its tables.
  await until('all jobs had their turn', async () => {
    const [row] = await shop.db.sql`select count(*)::int as n from graphile_worker._private_jobs where attempts = 0`
    return row?.n === 0
  })
}, 120_000)
afterAll(async () => {
  process.stdout.write = stdout
  process.stderr.write = stderr
  sound?.stop()
  await shop?.close()
  await engines?.close()
})

/** Cookies of those who act as the person, from then on. */
const own = new Set<string>()
const meet = ({ cookies }: { cookies: ReadonlyMap<string, string> }) => {
  for (const value of cookies.values()) own.add(value)
}

async function everythingHappens(): Promise<void> {
  const owner = await anAccount()
  await orderByWallet()
  await orderByCard()
  await typeCardsWhereTheyDoNotBelong()
  await programsAsk()
  await providerFails()
  await databaseFails(owner)
  await mailFails(owner)
  await translationFails()
}

async function anAccount(): Promise<Customer> {
  const password = passwords['first password']
  const owner = aCustomer(shop, person.mail)
  await owner.add('MUG')
  meet(owner)
  await owner.post('/my-account/', {
    email: person.mail,
    password,
    register: 'Register',
    'woocommerce-register-nonce': owner.nonce('woocommerce-register'),
  })
  const welcome = await mailedLink(shop, person.mail, /account/i)
  tokens['welcome link'] = /key=(\w+)/.exec(welcome)?.[1] ?? ''
  const phone = aCustomer(shop, person.mail)
  await phone.add('BOWL')
  meet(phone)
  expect((await phone.logIn({ password: passwords['wrong password'] })).status).toBe(200)
  expect((await phone.logIn({ password })).status).toBe(303)
  meet(owner)
  tokens['session of the customer'] = [...owner.cookies.values()].find((value) => /^[0-9a-f]{64}$/.test(value)) ?? ''

  await owner.post('/my-account/edit-account/', {
    account_first_name: person['first name'],
    account_last_name: person['last name'],
    account_display_name: 'W',
    account_email: person['other mail'],
    password_current: passwords['wrong password'],
    password_1: passwords['second password'],
    password_2: 'another',
    'save-account-details-nonce': owner.nonce('save_account_details'),
  })
  await owner.post('/my-account/edit-account/', {
    account_first_name: person['first name'],
    account_last_name: person['last name'],
    account_display_name: 'W',
    account_email: person['other mail'],
    password_current: password,
    'save-account-details-nonce': owner.nonce('save_account_details'),
  })
  const moved = await mailedLink(shop, person['other mail'], /address|e-mail/i)
  tokens['link to a new address'] = /key=(\w+)/.exec(moved)?.[1] ?? ''

  const forgetful = aGuest(shop)
  await forgetful.add('BOWL')
  meet(forgetful)
  await forgetful.post('/my-account/lost-password/', {
    user_login: person.mail,
    wc_reset_password: 'true',
    'woocommerce-lost-password-nonce': forgetful.nonce('lost_password'),
  })
  const link = await mailedLink(shop, person.mail, /new password/)
  tokens['link to a new password'] = /key=(\w+)/.exec(link)?.[1] ?? ''
  await forgetful.send(link)
  await forgetful.send('/my-account/lost-password/?show-reset-form=true')
  for (const repeat of [passwords['wrong password'], passwords['second password']])
    await forgetful.post('/my-account/lost-password/', {
      password_1: passwords['second password'],
      password_2: repeat,
      wc_reset_password: 'true',
      'woocommerce-reset-password-nonce': forgetful.nonce('reset_password'),
    })
  const again = aCustomer(shop, person.mail)
  await again.add('BOWL')
  meet(again)
  expect((await again.logIn({ password: passwords['second password'] })).status).toBe(303)
  meet(again)
  tokens['second session'] = [...again.cookies.values()].find((value) => /^[0-9a-f]{64}$/.test(value)) ?? ''
  return again
}

const address = {
  billing_first_name: person['first name'],
  billing_last_name: person['last name'],
  billing_address_1: person.street,
  billing_phone: person.phone,
  billing_email: person.mail,
  order_comments: person.note,
}

/** A shopper with the address of the canaries, behind a browser that tells more than it should. */
async function aShopper(): Promise<Shopper> {
  const shopper = new Shopper(shop, 'canary')
  const form = shopper.form.bind(shopper)
  shopper.form = (method) => ({ ...form(method), ...address })
  await shopper.request(`/product/plain-mug/?mail=${person.mail}&password=${passwords['wrong password']}`, {
    headers: { accept: 'text/html', referer: `https://news.example/?reader=${encodeURIComponent(person.mail)}` },
  })
  await shopper.add('MUG')
  await shopper.openCheckout()
  const token = shopper.cookie('sid') ?? ''
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  tokens[`session of a shopper ${own.size}`] = token
  own.add(token)
  return shopper
}

async function remember(orderId: number): Promise<void> {
  const [row] = await shop.db.sql<{ key: string }[]>`select key from orders where id = ${orderId}`
  orders = [...orders, { orderId, key: row?.key ?? '' }]
}

async function orderByWallet(): Promise<void> {
  const shopper = await aShopper()
  const missing = { ...shopper.form('ppcp'), billing_city: '', billing_postcode: 'x', billing_email: `${person.mail}@` }
  await shopper.post(urls.wcAjax('checkout'), missing)
  const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
  await shopper.approve(walletOrderId)
  await shopper.page(await shopper.returnFromWallet(walletOrderId))
  await theOneOrder(shop, orderId)
  await remember(orderId)
  const { tools } = shop.shop.application
  const refund = (minor: number, name: string) =>
    refundOrder(tools, orderId, { key: name, ask: { kind: 'amount', minor } } as never)
  await refund(100, 'some')
  await shop.emulate('/fault', { route: 'captures.refund', status: 500, times: 3 })
  await refund(100, 'more')
}

async function orderByCard(): Promise<void> {
  const shopper = await aShopper()
  const account = {
    createaccount: '1',
    account_password: passwords['first password'],
    billing_email: person['third mail'],
  }
  const save = { [paymentFields(cardMethodId).save]: '1' }
  withAccount = { ...shopper.form('cod'), ...account }
  await shopper.post(urls.wcAjax('checkout'), withAccount, { 'idempotency-key': 'an account' })
  own.add(shopper.cookie('sid') ?? '')
  await shopper.add('MUG')
  await shopper.openCheckout()
  const id = String(await (await createOrder(shopper, cardMethodId, save)).json())
  await shop.emulate(`/orders/${id}/card`, {
    number: card['card number'],
    security_code: '917',
    expiry: '2031-07',
    name: `${person['first name']} ${person['last name']}`,
  })
  const paid = await payApproved(shopper, cardMethodId, id, save)
  expect(paid.result, paid.messages).toBe('success')
  await remember(Number(/\/order-received\/(\d+)\//.exec(paid.redirect ?? '')?.[1]))
}

/** As a page would that was made by somebody who does not know better. */
async function typeCardsWhereTheyDoNotBelong(): Promise<void> {
  const shopper = await aShopper()
  const fields = {
    card_number: card['card number'],
    'payment[card][number]': card['card in groups'],
    'ppcp_card-card-cvc': card['card code'],
    [paymentFields(cardMethodId).paymentToken]: card['card number'],
  }
  await placeWith(shopper, cardMethodId, fields)
  await shopper.rest('cart/order', { ...shopper.form('ppcp'), ...fields, context: 'checkout' })
  await shopper.rest('vault/payment-tokens', { setup_token: card['card number'], fastlane: true })
  await shopper.request(`${urls.checkout()}?number=${card['card number']}&cvc=${card['card code']}`)
  const headers = { 'content-type': 'application/json', 'idempotency-key': card['card number'] }
  await shopper.request(urls.paypalRest('cart/order'), {
    method: 'POST',
    headers,
    body: `{"n":"${card['card number']}"`,
  })
}

async function programsAsk(): Promise<void> {
  key = await makeApiKey(shop.shop.application.tools, { description: 'Bookkeeping', who: 'tester' })
  const list = '/wp-json/wc/v3/orders'
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const program = (path: string, headers = {}) => fetch(shop.url + path, { headers: { ...headers, cookie: 'program' } })
  await program(list, basic(`${key.consumerKey}:${key.consumerSecret}`))
  await program(list, basic(`${key.consumerKey}:${key.consumerSecret}x`))
  await program(`${list}?consumer_key=${key.consumerKey}&consumer_secret=${key.consumerSecret}`)
  await program(`${list}/0?oauth_consumer_key=${key.consumerKey}&oauth_signature=${key.consumerSecret}`)
}

async function providerFails(): Promise<void> {
  const route = 'orders.create'
  for (const effect of [{ status: 500, times: 3 }, { malformed: true }, { issue: 'PAYEE_ACCOUNT_RESTRICTED' }]) {
    const shopper = await aShopper()
    await shop.emulate('/fault', { route, ...effect })
    await shopper.placeOrder().catch(() => null)
    await shop.emulate('/faults/clear', {})
  }
  await shop.emulate('/tokens/expire', {})
  const shopper = await aShopper()
  const { walletOrderId } = startedOf(await shopper.placeOrder())
  await shopper.approve(walletOrderId)
  await shop.emulate('/fault', { route: 'orders.capture', issue: 'INSTRUMENT_DECLINED' })
  await shopper.returnFromWallet(walletOrderId)
  await shop.emulate('/webhooks/false', { kind: 'forged' })
  await shop.emulate('/webhooks/false', { kind: 'foreign-merchant' })
  await fetch(shop.url + urls.paypalWebhook(), { method: 'POST', body: `{"id":"${secrets['webhook id']}` })
}

/** A rule of the database that nobody's form keeps: PostgreSQL then repeats the whole row to whoever listens. */
async function databaseFails(owner: Customer): Promise<void> {
  const { sql } = shop.db
  await sql`alter table orders add constraint canary check (billing->>'phone' <> ${person.phone}) not valid`.catch(() =>
    sql.unsafe(`alter table orders add constraint canary check (billing->>'phone' <> '${person.phone}') not valid`),
  )
  const shopper = await aShopper()
  const failed = await shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))
  expect(failed.status).toBeGreaterThanOrEqual(500)
  await sql`alter table orders drop constraint canary`
  await sql.unsafe(`alter table customers add constraint canary check (display_name <> 'Failing') not valid`)
  const refused = await owner.post('/my-account/edit-account/', {
    account_first_name: person['first name'],
    account_last_name: person['last name'],
    account_display_name: 'Failing',
    account_email: person.mail,
    password_current: passwords['second password'],
    'save-account-details-nonce': owner.nonce('save_account_details'),
  })
  expect(refused.status).toBeGreaterThanOrEqual(500)
  await sql`alter table customers drop constraint canary`
}

/** A mail server that names whom it refuses, and repeats the password that it was told. */
async function mailFails(owner: Customer): Promise<void> {
  const port = await freePort()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 canary\r\n')
    socket.on('data', (bytes) => {
      const line = bytes.toString().trim()
      if (line.startsWith('EHLO')) socket.write('250-canary\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('235 fine\r\n')
      else if (line.startsWith('RCPT')) socket.write(`550 5.1.1 ${line.slice('RCPT TO:'.length)} is unknown here\r\n`)
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  try {
    const smtpUrl = `smtp://shop:${secrets['mail password']}@127.0.0.1:${port}`
    await writeSettings(shop.db, { mail: { from: 'shop@example.test', smtpUrl } })
    await reconfigured(shop)
    await owner.post('/my-account/lost-password/', {
      user_login: person.mail,
      wc_reset_password: 'true',
      'woocommerce-lost-password-nonce': owner.nonce('lost_password'),
    })
    await (await aShopper()).placeOrder('cod')
    await until('a message was refused', async () => {
      const failed = await shop.db.sql`select last_error from graphile_worker.jobs where last_error is not null`
      return failed.length >= 2
    })
    await writeSettings(shop.db, { mail: { from: 'shop@example.test', smtpUrl: 'smtp://127.0.0.1:1' } })
    await reconfigured(shop)
  } finally {
    server.close()
  }
}

async function translationFails(): Promise<void> {
  const { tools } = shop.shop.application
  await (await aShopper()).request('/de/product/plain-mug/', { headers: { accept: 'text/html' } })
  engines.fail(403, 500, 'garbage', 'empty')
  // What the page holds is put down for the engine once the visitor has the page.
  await until('the engine was asked', async () => {
    await translateQueue(tools, { until: new Date(tools.clock.now().getTime() + 2_000) })
    return engines.calls.length > 0
  })
}

/** All that may stand nowhere but where it came from. */
const never = (): Canaries => ({
  ...secrets,
  ...passwords,
  ...card,
  ...tokens,
  'key of a program': key.consumerKey,
  'secret of a program': key.consumerSecret,
})
const orderKeys = (): Canaries => Object.fromEntries(orders.map(({ orderId, key: of }) => [`key of ${orderId}`, of]))

describe('T37 T38 M18 canary values in every secret and personal field', () => {
  it('were sent, kept and answered as the test believes', async () => {
    expect(Object.values({ ...never(), ...orderKeys() }).filter((value) => value.length < 8)).toEqual([])
    expect(Object.keys(tokens).length).toBeGreaterThan(12)
    expect(log.length).toBeGreaterThan(30)
    const said = log.join('\n')
    const events = ['request failed', 'PayPal refused', 'webhook rejected', 'job failed', 'account-mail']
    expect([...events, 'machine translation failed'].filter((event) => !said.includes(event))).toEqual([])
    expect(sound.heard.length).toBeGreaterThan(60)
    // The card was really used: the provider knows it, and of it the shop has the last four digits alone.
    const [kept] = await shop.db.sql`select last4 from payment_tokens`
    expect(kept?.last4).toBe('7107')
    expect(engines.calls.some(({ headers }) => JSON.stringify(headers).includes(secrets['translation key']))).toBe(true)
  })

  it('stand in no line of the log, whatever its level', () => {
    const lines = [...log, ...spoken]
    const found = lines.flatMap((line) =>
      canariesIn(line, { ...never(), ...orderKeys(), ...person }).map((name) => `${name}: ${line.slice(0, 300)}`),
    )
    expect(found).toEqual([])
  })

  it('P12 secrets, passwords, tokens and cards stand in no table', async () => {
    expect(await canariesInTables(shop.db, never())).toEqual([])
  })

  it('T37 no digest in a table lets a password be guessed as fast as a digest is made', async () => {
    const rows = await shop.db.sql<
      { body_hash: string }[]
    >`select body_hash from idempotency_keys where key = 'an account'`
    expect(rows).toHaveLength(1)
    // All but the password stands in the order: whoever has the tables could try one password after the other.
    expect(rows[0]?.body_hash).not.toBe(sha256(canonicalJson({ 'wc-ajax': 'checkout', ...withAccount })))
  })

  it('P15 of the person, tables have what their purpose needs', async () => {
    const found = await canariesInTables(shop.db, { ...person, ...orderKeys() })
    const elsewhere = found.filter((line) => !/ in (customers|orders|sessions|webhook_events)$/.test(line))
    // What was typed to get a message waits as it was typed until the message is written.
    expect(
      elsewhere.filter((line) => !/^(other |third )?mail in (canary_jobs|graphile_worker._private_jobs)$/.test(line)),
    ).toEqual([])
    expect(found).toContain('street in orders')
  })

  it('secrets, passwords, tokens and cards stand in no answer, and in no file of the shop', async () => {
    const found = sound.heard.flatMap(({ asked, text }) => canariesIn(text, never()).map((name) => `${name}: ${asked}`))
    expect(found).toEqual([])
    const outbox = join(shop.dataDir, 'outbox')
    const mails = await filesBelow(outbox)
    expect(mails.length).toBeGreaterThan(4)
    const links = Object.fromEntries(Object.entries(tokens).filter(([name]) => name.includes('link')))
    const others = Object.fromEntries(Object.entries(never()).filter(([name]) => !name.includes('link')))
    for (const { name, text } of mails) expect(canariesIn(text, others), name).toEqual([])
    // A link is in the one message that was written for it.
    for (const [name, value] of Object.entries(links))
      expect([name, mails.filter(({ text }) => text.replace(/=\n/g, '').includes(value)).length]).toEqual([name, 1])
    for (const { name, text } of await filesBelow(shop.dataDir))
      if (!name.startsWith(outbox)) expect(canariesIn(text, { ...never(), ...person }), name).toEqual([])
  })

  it('I10 nothing of the person is told to somebody else', async () => {
    const stranger = aGuest(shop)
    await stranger.add('MUG')
    const before = sound.heard.length
    const paths = [
      '/',
      '/shop/',
      '/product/plain-mug/',
      '/cart/',
      '/checkout/',
      '/my-account/',
      '/metrics',
      '/healthz',
      '/readyz',
    ]
    for (const path of [...paths, '/?s=canary', '/sitemap.xml', '/robots.txt', '/feed/', '/de/', '/none/'])
      await stranger.send(path, { headers: { accept: 'text/html', ...monitorHeaders } })
    for (const { orderId, key: of } of orders)
      for (const wrong of ['', of.slice(0, -1)])
        await stranger.send(`/checkout/order-received/${orderId}/?key=${wrong}`, { headers: { accept: 'text/html' } })
    const foreign = sound.heard.filter(
      ({ visitor }, index) =>
        index >= before || !(visitor === 'program' || [...own].some((token) => visitor.includes(token))),
    )
    expect(foreign.length).toBeGreaterThan(20)
    const found = foreign.flatMap(({ asked, text }) =>
      canariesIn(text, { ...person, ...orderKeys() }).map((name) => `${name}: ${asked}`),
    )
    expect(found).toEqual([])
  })

  it('secrets stand in no file that browsers or the server are made of', async () => {
    const built = await filesBelow(clientFolder)
    expect(built.length).toBeGreaterThan(50)
    const all = { ...never(), ...person }
    for (const { name, text } of built) expect(canariesIn(text, all), name).toEqual([])
  })
})
