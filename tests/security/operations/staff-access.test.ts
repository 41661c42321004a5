import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, loadCommand } from '#cli/commands.ts'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

// Every way in which staff can look at the data of customers, over the shop's own lists of commands, pages and calls.

/** What stands in every text that belongs to the one customer, and is typed by nobody here. */
const secret = 'Brimblestone'
const email = 'reader@example.test'

let shop: TestShop
let manager: Staff
let orderId = 0
const dayMs = 24 * 60 * 60_000
let customerId = 0
let offsetMs = 0
beforeAll(async () => {
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  shop = await aShop({ wallet: false, environment: { clock } })
  manager = await staffMember(shop, 'manager@example.test', 'administrator')
  const { sql } = shop.db
  const address = sql.json({ first_name: secret, last_name: secret, address_1: `${secret} 1`, email, country: 'US' })
  const now = new Date()
  const [customer] = await sql`insert into customers ${sql({
    email,
    username: 'reader',
    first_name: secret,
    last_name: secret,
    display_name: secret,
    billing: address,
    shipping: address,
    created_at: now,
    updated_at: now,
  })} returning id`
  const [placed] = await sql`insert into orders ${sql({
    key: 'wc_order_aaaaaaaaaaaaaaaaaaaaaa',
    status: 'processing',
    session_id: `customer:${customer?.id}`,
    intention: 'x',
    cart_hash: '',
    currency: 'USD',
    prices_include_tax: false,
    total: 1200,
    billing: address,
    shipping: address,
    customer_note: secret,
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    customer_id: customer?.id ?? null,
    created_at: now,
    updated_at: now,
  })} returning id`
  orderId = Number(placed?.id)
  customerId = Number(customer?.id)
  await sql`insert into order_notes (order_id, note, for_customer, at) values (${orderId}, ${secret}, false, ${now})`
})
afterAll(() => shop?.close())

const tells = (text: string) => text.includes(secret)
const looks = async () => Number((await shop.db.sql`select count(*)::int as n from access_log`)[0]?.n)

const loaded = await Promise.all(
  Object.entries(commands).map(async ([name, { load }]) => [name, await load()] as const),
)

describe('P15 whatever shows a customer is written down', () => {
  /** Not run here: they build, wait, ask others or write files; none of them knows of customers. */
  const left = new Set([
    'backup',
    'completion',
    'config',
    'currencies',
    'export',
    'images',
    'import',
    'machine',
    'migrate',
    'share-pictures',
    'tax-rates',
    'translations',
  ])
  const subs = loaded.flatMap(([name, { subs: own }]) =>
    left.has(name) ? [] : own ? Object.keys(own).map((sub) => [name, sub] as const) : [[name, ''] as const],
  )

  it.each(subs)('npm run shop -- %s %s', async (name, sub) => {
    const command = await loadCommand(name)
    if (!command) throw new Error(`there is no ${name}`)
    const words = sub === '' ? [] : [sub]
    for (const asked of [
      [],
      [email],
      ['reader'],
      [String(orderId)],
      ['--search', 'reader'],
      ['--order', String(orderId)],
    ]) {
      for (const form of [[], ['--json']]) {
        const before = await looks()
        // Whatever it refuses, it must not have shown first.
        const { out, err } = await runCommandWith({}, command, shop.db, ...words, ...asked, ...form).catch(() => ({
          out: '',
          err: '',
        }))
        const own = asked.length === 0 && `${out}${err}`.includes(email)
        if (own || tells(out + err))
          expect([name, sub, ...asked, (await looks()) > before]).toEqual([name, sub, ...asked, true])
      }
    }
  })

  it('the list above does look at customers', async () => {
    for (const [name, words] of [
      ['orders', ['show', String(orderId)]],
      ['orders', ['list']],
      ['customers', ['show', email]],
      ['customers', ['list']],
      ['customers', ['export', email]],
      ['export', ['customers']],
      ['export', ['orders']],
    ] as const) {
      const command = await loadCommand(name)
      if (!command) throw new Error(`there is no ${name}`)
      const { out } = await runCommandWith({ who: 'ida at the desk' }, command, shop.db, ...words)
      expect([...words, tells(out)]).toEqual([...words, true])
      const [row] = await shop.db.sql`select who from access_log order by id desc limit 1`
      expect(row?.who).toBe('ida at the desk')
    }
  })

  it('pages and calls of the staff', async () => {
    const staffs = (identity: string) => ['translator', 'shop-manager', 'consumer-key'].includes(identity)
    const pages = pageRoutes
      .filter(({ method, identity }) => method === 'GET' && staffs(identity))
      .map(({ path }) => routeAddress(path, { kind: 'new_order' }))
    const reading = calls
      .filter(({ method, identity, door }) => method === 'GET' && door === 'rest' && staffs(identity))
      .map((call) =>
        routeAddress(restPath(call), { id: call.name.startsWith('orders') ? orderId : customerId, order_id: orderId }),
      )
    expect(pages.length + reading.length).toBeGreaterThan(7)
    const shown: string[] = []
    for (const address of [...pages, ...reading, `/wp-json/wp/v2/users/${manager.id}`]) {
      const before = await looks()
      const headers = address.startsWith('/wp-json/')
        ? { 'x-wp-nonce': manager.nonce('wp_rest') }
        : { accept: 'text/html' }
      const answer = await manager.send(address, { headers })
      expect([address, answer.status < 500]).toEqual([address, true])
      if (!tells(await answer.text())) continue
      shown.push(address)
      expect([address, (await looks()) > before]).toEqual([address, true])
      const [row] = await shop.db.sql`select who from access_log order by id desc limit 1`
      expect(row?.who).toBe(`customer:${manager.id}`)
    }
    const v3 = '/wp-json/wc/v3'
    expect(shown.toSorted()).toEqual([
      `${v3}/customers`,
      `${v3}/customers/${customerId}`,
      `${v3}/orders`,
      `${v3}/orders/${orderId}`,
      `${v3}/orders/${orderId}/notes`,
    ])
  })
})

it('P15 what was written down is kept as long as the shop says, and no longer', async () => {
  const { tools } = shop.shop.application
  const days = tools.settings.staff.accessLogDays
  expect(days).toBe(400)
  await shop.db.sql`truncate access_log`
  await shop.db
    .sql`insert into access_log (at, who, action, subject) select now() - make_interval(days => d), 'desk', 'orders show', 'order:1'
    from unnest(${[0, days - 1, days + 1, days * 2]}::int[]) as d`
  await maintain(tools)
  expect(await looks()).toBe(2)
  offsetMs = days * dayMs
  await maintain(tools)
  expect(await looks()).toBe(0)
})
