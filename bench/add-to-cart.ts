import { urls } from '#contract/shared/urls.ts'
import { connect } from '#database/engine/connect.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { aCaller } from './support/caller.ts'
import { cpuSeconds } from './support/processes.ts'
import { type Figure, median, report } from './support/report.ts'
import { inParallel } from './support/shoppers.ts'

/**
 * What do the cart's calls cost beside the database work that they cannot do without? One after the other on one
 * connection: a new visitor's press on the listing's button, the removal of one of two lines, a coupon. Each is held, in
 * alternating short rounds, against the bare statements of the same work in one transaction. Then 200 visitors press at once.
 */
const rounds = 9
const perRound = 120

await using shop = await aBenchShop()
// As many connections as the shop has; one after the other takes one of them.
await using db = disposable(connect(shop.databaseUrl, { max: 20 }))
const { sql } = db
const products = await sql<{ id: number }[]>`select id from products where type = 'simple' order by id limit 2`
const [productId = 0, otherId = 0] = products.map(({ id }) => id)
await sql`insert into coupons (code, type, amount_ppm) values ('ten', 'percent', 100000)`

const caller = aCaller(shop.url)
const wcAjax = (name: string, fields: Record<string, string>) => caller.post(urls.wcAjax(name), fields)

async function add(id: number): Promise<string> {
  const answer = await wcAjax('add_to_cart', { product_id: String(id), quantity: '1' })
  if (!answer.includes('mini_cart_item')) throw new Error(`nothing was added: ${answer.slice(0, 200)}`)
  return answer
}

type Side = { readonly prepare?: () => Promise<unknown>; readonly work: () => Promise<unknown> }

/** A call by its name, and the statements that it stands on. */
type Duel = { readonly name: string; readonly call: Side; readonly bare: Side }

let key = ''
const nonces = { apply: '', remove: '' }
let bareId = 0
const state = { lines: [{ key: 'k', productId, variationId: null, quantity: 1, attributes: {}, addedAt: 0 }] }

/** Finds the session, reads what the call asks for, writes the session. */
const bareTransaction = (write: 'insert' | 'update', coupon: boolean) => () => {
  const id = `bare-${bareId}`
  return sql.begin(async (tx) => {
    await tx`select version, state, expires_at from sessions where id = ${id} and expires_at > now()`
    if (coupon) await tx`select * from coupons where code = 'ten'`
    await tx`select id, name, status, regular_price, sale_price, manage_stock, stock_quantity, stock_status, backorders
      from products where id = ${productId}`
    if (write === 'insert') {
      await tx`insert into sessions (id, state, expires_at, created_at, updated_at)
        values (${id}, ${tx.json(state)}, now() + interval '2 days', now(), now())`
    } else {
      await tx`update sessions set state = ${tx.json(state)}, version = version + 1, updated_at = now()
        where id = ${id}`
    }
  })
}

const duels: readonly Duel[] = [
  {
    name: 'add_to_cart',
    call: { prepare: async () => caller.forget(), work: () => add(productId) },
    bare: { prepare: async () => (bareId += 1), work: bareTransaction('insert', false) },
  },
  {
    name: 'remove_from_cart',
    call: {
      async prepare() {
        const keys = [...(await add(otherId)).matchAll(/data-cart_item_key=\\"(\w+)\\"/g)]
        key = keys.at(-1)?.[1] ?? ''
      },
      async work() {
        const answer = await wcAjax('remove_from_cart', { cart_item_key: key })
        if (!answer.includes('mini_cart_item')) throw new Error(`nothing was removed: ${answer.slice(0, 200)}`)
      },
    },
    bare: { work: bareTransaction('update', false) },
  },
  {
    name: 'apply_coupon',
    call: {
      prepare: () => wcAjax('remove_coupon', { coupon: 'ten', security: nonces.remove }),
      async work() {
        const answer = await wcAjax('apply_coupon', { coupon_code: 'ten', security: nonces.apply })
        if (!answer.includes('woocommerce-message')) throw new Error(`no coupon: ${answer.slice(0, 200)}`)
      },
    },
    bare: { work: bareTransaction('update', true) },
  },
]

async function timed(count: number, { prepare, work }: Side): Promise<number> {
  const times: number[] = []
  for (let nr = 0; nr < count; nr += 1) {
    await prepare?.()
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return median(times)
}

const figures: Figure[] = []
for (const { name, call, bare } of duels) {
  if (name !== 'add_to_cart') {
    await add(productId)
    const page = await caller.get(urls.cart())
    nonces.apply = /"apply_coupon_nonce":"(\w+)"/.exec(page)?.[1] ?? ''
    nonces.remove = /"remove_coupon_nonce":"(\w+)"/.exec(page)?.[1] ?? ''
  }
  await timed(600, call)
  await timed(200, bare)
  const pairs: { call: number; bare: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ call: await timed(perRound, call), bare: await timed(perRound, bare) })
  }
  figures.push(
    {
      what: `${name} over HTTP against its bare transaction, p50`,
      value: median(pairs.map((pair) => pair.call / pair.bare)),
      unit: '×',
      budget: { atMost: 4 },
    },
    { what: `${name}, p50`, value: median(pairs.map((pair) => pair.call)), unit: 'ms' },
    { what: 'its transaction, p50', value: median(pairs.map((pair) => pair.bare)), unit: 'ms' },
  )
}

figures.push(...(await atOnce(8)), ...(await atOnce(200)))
report('add-to-cart', figures)

/** New visitors, each with ten presses one after the other, all at once; and the bare transactions as fast as they go. */
async function atOnce(visitors: number): Promise<readonly Figure[]> {
  const presses = 10
  await sql`truncate sessions`
  const everybody = Array.from({ length: visitors }, () => aCaller(shop.url))
  const calls = async (rounds: number) => {
    const press = { product_id: String(productId), quantity: '1' }
    await Promise.all(
      everybody.map(async (visitor) => {
        for (let nr = 0; nr < rounds * presses; nr += 1) {
          if (nr % presses === 0) visitor.forget()
          await visitor.post(urls.wcAjax('add_to_cart'), press)
        }
      }),
    )
  }
  const waves = Math.ceil(4_000 / (visitors * presses))
  const before = { shop: cpuSeconds(shop.pids.shop), postgres: cpuSeconds(shop.pids.postgres, { withChildren: true }) }
  const began = performance.now()
  await calls(waves)
  const seconds = (performance.now() - began) / 1000
  const count = waves * visitors * presses
  const spent = {
    shop: cpuSeconds(shop.pids.shop) - before.shop,
    postgres: cpuSeconds(shop.pids.postgres, { withChildren: true }) - before.postgres,
  }
  const [kept] = await sql<{ pieces: number }[]>`
    select sum((line ->> 'quantity')::int)::int as pieces from sessions, jsonb_array_elements(state -> 'lines') as line`
  const bare = bareTransaction('insert', false)
  const bareSeconds = await inParallel(4_000, Math.min(20, visitors), async () => {
    bareId += 1
    await bare()
  })
  for (const visitor of everybody) visitor.close()
  const who = `${visitors} visitors at once`
  return [
    {
      what: `${who}: add_to_cart`,
      value: count / seconds,
      unit: 'a second',
      // Ten times what Vendure and what the classic PHP shop were measured to do.
      budget: { atLeast: 10 * (visitors === 8 ? 69 : 79) },
    },
    { what: `${who}: pieces lost`, value: count - (kept?.pieces ?? 0), unit: `of ${count}`, budget: { atMost: 0 } },
    { what: `${who}: processor time a call, shop`, value: (spent.shop / count) * 1000, unit: 'ms' },
    { what: `${who}: processor time a call, PostgreSQL`, value: (spent.postgres / count) * 1000, unit: 'ms' },
    {
      what: `${who}: calls beside bare transactions a second`,
      value: count / seconds / (4_000 / bareSeconds),
      unit: '×',
    },
  ]
}

function disposable<Thing extends { close(): Promise<void> }>(thing: Thing): Thing & AsyncDisposable {
  return Object.assign(thing, { [Symbol.asyncDispose]: () => thing.close() })
}
