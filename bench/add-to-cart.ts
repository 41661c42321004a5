import { Agent, request } from 'node:http'
import { aBenchShop } from './support/bench-shop.ts'
import { median, report } from './support/report.ts'
import { inParallel } from './support/shoppers.ts'

/**
 * What does the add-to-cart button cost beside the database work that it cannot do without? One visitor after the other
 * puts one product into an empty cart by the call of the listing's button. Held against the bare statements of the same
 * work on one connection: find the session, read the product's row, write the session.
 */
const presses = 300

await using shop = await aBenchShop()
const [product] = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id limit 1`
const productId = product?.id ?? 0

// Node's own client on one kept connection: `fetch` would cost as much as the call.
const agent = new Agent({ keepAlive: true })
const body = `product_id=${productId}&quantity=1`
const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }

function press(): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(`${shop.url}/?wc-ajax=add_to_cart`, { method: 'POST', agent, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        answer += text
      })
      response.on('end', () =>
        answer.includes('mini_cart_item') ? resolve() : reject(new Error(`nothing was added: ${answer.slice(0, 200)}`)),
      )
    })
    call.on('error', reject).end(body)
  })
}

const state = { lines: [{ key: 'k', productId, variationId: null, quantity: 1, attributes: {}, addedAt: 0 }] }
async function bareTransaction(id: string): Promise<void> {
  const { sql } = shop.db
  await sql.begin(async (tx) => {
    await tx`select version, state, expires_at from sessions where id = ${id} and expires_at > now()`
    await tx`select id, name, status, regular_price, sale_price, manage_stock, stock_quantity, stock_status, backorders
      from products where id = ${productId}`
    await tx`insert into sessions (id, state, expires_at, created_at, updated_at)
      values (${id}, ${tx.json(state)}, now() + interval '2 days', now(), now())`
  })
}

async function timed(count: number, work: (nr: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  await inParallel(count, 1, async (nr) => {
    const began = performance.now()
    await work(nr)
    times.push(performance.now() - began)
  })
  return times
}

await timed(100, () => press())
await timed(100, (nr) => bareTransaction(`warm-${nr}`))
const rounds: { call: number; bare: number }[] = []
for (let round = 0; round < 5; round += 1) {
  rounds.push({
    call: median(await timed(presses, () => press())),
    bare: median(await timed(presses, (nr) => bareTransaction(`bare-${round}-${nr}`))),
  })
}
const seconds = await inParallel(2_000, 8, () => press())
report('add-to-cart', [
  {
    what: 'add_to_cart over HTTP against its bare transaction, p50',
    value: median(rounds.map(({ call, bare }) => call / bare)),
    unit: '×',
    budget: { atMost: 3 },
  },
  { what: 'the call, p50', value: median(rounds.map(({ call }) => call)), unit: 'ms' },
  { what: 'its transaction, p50', value: median(rounds.map(({ bare }) => bare)), unit: 'ms' },
  { what: 'calls, 8 at a time', value: 2_000 / seconds, unit: 'a second', budget: { atLeast: 10 * 69 } },
])
