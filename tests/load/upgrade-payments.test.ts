import { type ChildProcess, spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletMethodId } from '#contract/payments/constants.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { keysIn, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { invariants, orderOf, theOneOrder, until } from '#tests/support/payments/bookkeeping.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'
import { express, orderOfWalletOrder } from '../recovery/fixtures/wallet-window.ts'
import { aShop, emulatorEnvironment, freePort, type TestShop } from '../support/shop.ts'
import { Shopper, startedOf } from '../support/shopper.ts'
import { nextVersion } from './next-version.ts'

const secret = 'a secret for tests that is long enough'

/** What the next version might want of every table that a payment reads with all its columns. */
const tables = [
  'sessions',
  'orders',
  'order_items',
  'wallet_orders',
  'payment_attempts',
  'captures',
  'refunds',
  'refund_items',
  'stock_reservations',
  'setup_tokens',
  'payment_tokens',
  'vault_customers',
  'webhook_events',
  'coupons',
  'coupon_uses',
  'shipping_methods',
  'shipping_zones',
  'tax_rates',
]

/** The door of one of the two versions. */
type Door = TestShop & { readonly isNext: boolean }
/** What is left to do at the step, where the upgrade has come between. */
type Rest = (door: Door) => Promise<void>
type Scene = (at: Door, name: string) => Promise<Rest>

let shop: TestShop
let old: Door
let next: Door | null = null
let folder: string
let child: ChildProcess
const waiting = new Map<string, { old: Rest; next: Rest }>()

/** While others pay at the same time, their money is on its way: all the books are looked at when they are done. */
async function proven(orderId: number): Promise<void> {
  if (next) await theOneOrder(shop, orderId)
  else await until('it is paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
}

async function paid(shopper: Shopper, walletOrderId: string, orderId: number): Promise<void> {
  expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
  await proven(orderId)
}

const inCart =
  (then: (tab: Shopper) => Promise<void>): Scene =>
  async (at, name) => {
    const shopper = new Shopper(at, name)
    await shopper.add('MUG')
    return (door) => then(shopper.anotherTab(door))
  }

async function anOrder(at: Door, name: string): Promise<{ shopper: Shopper; orderId: number; walletOrderId: string }> {
  const shopper = new Shopper(at, name)
  return { shopper, ...(await shopper.startToPay()) }
}

const scenes: readonly (readonly [string, Scene])[] = [
  [
    'F35 at S2: another quantity',
    inCart(async (tab) => {
      const [key] = keysIn((await viewCart(tab)).html)
      const cart = await submitCart(tab, { [`cart[${key}][qty]`]: '2', update_cart: 'Update cart' })
      expect(cart.lines).toEqual(['Plain mug × 2'])
    }),
  ],
  [
    'F35 at S3: a coupon',
    inCart(async (tab) => {
      expect((await submitCart(tab, { coupon_code: 'five', apply_coupon: '1' })).coupons).toEqual(['five'])
    }),
  ],
  [
    'F35 at S4: another way of shipping',
    inCart(async (tab) => {
      const cart = await submitCart(tab, { update_shipping: '1', 'shipping_method[0]': 'flat_rate:2' })
      expect(cart.total).toBe('$27.87')
    }),
  ],
  [
    'F35 at S6: the wallet order is opened',
    async (at, name) => {
      const shopper = new Shopper(at, name)
      await shopper.add('MUG')
      await shopper.openCheckout()
      return async (door) => {
        const tab = shopper.anotherTab(door)
        const { orderId, walletOrderId } = startedOf(await tab.placeOrder())
        await tab.approve(walletOrderId)
        await paid(tab, walletOrderId, orderId)
      }
    },
  ],
  [
    'F35 at S7: the buyer approves meanwhile',
    async (at, name) => {
      const { shopper, orderId, walletOrderId } = await anOrder(at, name)
      return async (door) => {
        await shopper.approve(walletOrderId)
        await paid(shopper.anotherTab(door), walletOrderId, orderId)
      }
    },
  ],
  [
    'F35 at S8: another way of shipping in the window',
    async (at, name) => {
      const shopper = new Shopper(at, name)
      await shopper.add('MUG')
      const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
      const walletOrderId = String(await opened.json())
      return async (door) => {
        const tab = shopper.anotherTab(door)
        expect((await tab.rest('cart/shipping', express(walletOrderId))).status).toBe(200)
        await tab.approve(walletOrderId)
        const { orderId, amount } = await orderOfWalletOrder(shop, walletOrderId)
        expect(amount).toBe(2787)
        await paid(tab, walletOrderId, orderId)
      }
    },
  ],
  [
    'F35 at S9: back from the window, the total is looked at and the button takes the money',
    async (at, name) => {
      const shopper = new Shopper(at, name)
      const { walletOrderId } = await shopper.startExpress()
      await shopper.approve(walletOrderId)
      return async (door) => {
        const tab = shopper.anotherTab(door)
        const place = await tab.returnFromWallet(walletOrderId)
        if (!place.includes('/order-received/')) {
          await tab.openCheckout()
          expect((await tab.placeOrder(walletMethodId, walletOrderId)).result).toBe('success')
        }
        await proven((await orderOfWalletOrder(shop, walletOrderId)).orderId)
      }
    },
  ],
  [
    'F35 at S11 and S12: approved before, the money is taken and recorded after',
    async (at, name) => {
      const { shopper, orderId, walletOrderId } = await anOrder(at, name)
      await shopper.approve(walletOrderId)
      return (door) => paid(shopper.anotherTab(door), walletOrderId, orderId)
    },
  ],
  [
    'F35 at S15: a way to pay is kept',
    async (at, name) => {
      // A visitor of either version, with one jar of cookies.
      const place = { ...at }
      const customer = aCustomer(place, `${name}@example.test`)
      await customer.register()
      const token = await startMethodSetup(customer)
      await agree(at, token)
      return async (door) => {
        place.url = door.url
        const { status, body } = await callRoute(customer, 'vault/payment-tokens', { setup_token: token })
        expect({ status, body }).toMatchObject({ status: 200 })
        const kept = await shop.db.sql`select t.token from payment_tokens t join customers c on c.id = t.customer_id
          where c.email = ${customer.email}`
        expect(kept.map(({ token: one }) => one)).toEqual([body.id])
      }
    },
  ],
  [
    'F35 at S16: money is given back',
    async (at, name) => {
      const { shopper, orderId, walletOrderId } = await anOrder(at, name)
      await shopper.approve(walletOrderId)
      await paid(shopper, walletOrderId, orderId)
      return async (door) => {
        if (door.isNext) await byCommand(['orders', 'refund', String(orderId), '--amount', '5.00', '--yes'])
        else {
          const wish = { key: name, ask: { kind: 'amount', minor: 500 }, restock: false } as const
          expect(await refundOrder(shop.shop.application.tools, orderId, wish)).toMatchObject({ ok: true })
        }
        const refunds = await findRefunds(shop.db.kysely, orderId)
        expect(refunds.map(({ amount, state }) => ({ amount, state }))).toEqual([{ amount: 500, state: 'done' }])
      }
    },
  ],
]

beforeAll(async () => {
  shop = await aShop({ settings: keepingSettings, secrets: { signing: secret } })
  old = { ...shop, isNext: false }
  await shop.db.sql`insert into coupons (code, type, amount_minor, settings) values ('five', 'fixed_cart', 500, '{}')`
  await shop.db.sql`update products set stock_quantity = stock_quantity + 1000 where manage_stock = 'yes'`
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, 1000, 'counted' from products where manage_stock = 'yes'`
  await shop.emulate('/webhooks/hold', { on: true })
  // Each connection of the older version has prepared what it will be asked for.
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(scenes.map(async ([, scene], index) => (await scene(old, `before-${round}-${index}`))(old)))
  }
  for (const [index, [title, scene]] of scenes.entries()) {
    waiting.set(title, { old: await scene(old, `old-${index}`), next: await scene(old, `next-${index}`) })
  }
  folder = await mkdtemp(join(tmpdir(), 'vitrine-payments-'))
  const migrations = tables.map((table) => `alter table ${table} add column next_version jsonb not null default '{}'`)
  await nextVersion(join(folder, 'next'), migrations)
  const port = await freePort()
  child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: join(folder, 'next'),
    env: environmentOf(port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the next version is ready', isReady, 60_000)
  next = { ...shop, url, isNext: true }
}, 180_000)

afterAll(async () => {
  if (child?.exitCode === null) {
    const exit = event(child, 'exit')
    child.kill('SIGINT')
    await exit
  }
  await shop?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

function environmentOf(port: number): NodeJS.ProcessEnv {
  if (!shop.paypal) throw new Error('the shop has no wallet')
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: shop.databaseUrl,
    DATA_DIR: shop.dataDir,
    VITRINE_SECRET: secret,
    SHARE_PICTURES: 'off',
    LOG_LEVEL: 'warn',
    ...emulatorEnvironment(shop.paypal),
  }
}

/** The merchant's command of the next version. */
async function byCommand(words: readonly string[]): Promise<void> {
  const command = spawn(process.execPath, ['src/cli/main.ts', ...words], {
    cwd: join(folder, 'next'),
    env: environmentOf(0),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [command.stdout, command.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const [code] = await event(command, 'exit')
  expect(code, said).toBe(0)
}

describe('an upgrade with another schema in the midst of payments', () => {
  it.each(scenes.map(([title]) => title))('%s, by the older version and by the next', async (title) => {
    const rests = waiting.get(title)
    if (!rests || !next) throw new Error('nobody waits at this step')
    await rests.old(old)
    await rests.next(next)
  })

  it('F35 I1 to I13: the books are in order, with what both versions have written', async () => {
    await shop.emulate('/webhooks/flush', {})
    await until('the notifications are worked off', async () => {
      const [row] = await shop.db.sql`select count(*)::int as left from webhook_events where processed_at is null`
      return row?.left === 0
    })
    expect(await invariants(shop)).toEqual([])
  })
})
