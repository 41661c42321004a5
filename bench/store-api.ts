import { urls } from '#contract/shared/urls.ts'
import { connect } from '#database/engine/connect.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { load } from './support/load.ts'
import { type Figure, median, report } from './support/report.ts'

/**
 * The Store API beside the calls of the classic storefront: one visitor's cart by either interface in alternating short
 * rounds, and how many carts and lists a second the shop answers.
 */
const rounds = 9
const perRound = 100
/** Measured of the classic PHP shop on the same kind of machine. */
const classic = { carts: 78, lists: 33 }

await using shop = await aBenchShop()
const db = connect(shop.databaseUrl, { max: 2 })
const [product] = await db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id limit 1`
await db.close()
const productId = product?.id ?? 0

const store = (path: string) => `${shop.url}${urls.rest(`wc/store/v1/${path}`)}`
let token = ''

async function ask(path: string, init: RequestInit = {}): Promise<void> {
  const headers = { 'content-type': 'application/json', 'cart-token': token }
  const answer = await fetch(store(path), { ...init, headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  token = answer.headers.get('cart-token') ?? token
  await answer.arrayBuffer()
}

async function asked(path: string, fields?: Readonly<Record<string, string>>): Promise<void> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
  const init = fields ? { method: 'POST', headers, body: new URLSearchParams(fields) } : { headers: { cookie } }
  const answer = await fetch(`${shop.url}${path}`, init)
  for (const set of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
    cookies.set(name, value)
  }
  await answer.arrayBuffer()
}

const cookies = new Map<string, string>()

const addItem = () => ask('cart/add-item', { method: 'POST', body: JSON.stringify({ id: productId, quantity: 1 }) })
const addByForm = () => asked(urls.wcAjax('add_to_cart'), { product_id: String(productId), quantity: '1' })

type Duel = { readonly name: string; readonly store: () => Promise<void>; readonly wcAjax: () => Promise<void> }

// Both by the same client, so that its own cost is the same on both sides.
const duels: readonly Duel[] = [
  { name: 'read the cart', store: () => ask('cart'), wcAjax: () => asked(urls.wcAjax('get_refreshed_fragments'), {}) },
  { name: 'add an item', store: addItem, wcAjax: addByForm },
]

async function timed(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let nr = 0; nr < perRound; nr += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return median(times)
}

const figures: Figure[] = []
await ask('cart')
await addItem()
await addByForm()
for (const { name, store: ours, wcAjax } of duels) {
  await timed(ours)
  await timed(wcAjax)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) ratios.push((await timed(ours)) / (await timed(wcAjax)))
  figures.push({
    what: `${name}: Store API beside wc-ajax, p50`,
    value: median(ratios),
    unit: '×',
    budget: { atMost: 1.2 },
  })
}

const headers = { 'cart-token': token }
await load({ url: store('cart'), seconds: 3, headers })
const carts = await load({ url: store('cart'), seconds: 8, headers })
const lists = await load({ url: store('products?per_page=12'), seconds: 8 })
figures.push(
  { what: 'carts', value: carts.perSecond, unit: 'a second', budget: { atLeast: 20 * classic.carts } },
  { what: 'carts, p50 of 8 at once', value: carts.p50Ms, unit: 'ms' },
  { what: 'lists of 12 products', value: lists.perSecond, unit: 'a second', budget: { atLeast: 20 * classic.lists } },
)
report('store-api', figures)
