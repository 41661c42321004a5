import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import type { Clock } from '#contract/shared/environment.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { invalidationTimeoutMs } from '#server/cache/invalidate-pages.ts'
import { systemClock } from '#server/operations/startup/environment.ts'
import { changeProducts } from '#shop/catalog/manage-products.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { say } from '#tests/support/translation/add-translations.ts'

let shop: TestShop
/** A product of the kitchen, one of another category, and what lists them. */
const mug = '/product/plain-mug/'
const shirt = '/product/linen-shirt/'
const kitchen = '/product-category/kitchen/'
/** Without the mug, which may come to cost as much. */
const dear = '/product-category/kitchen/?min_price=40'
let other: string
let pages: readonly string[]

beforeAll(async () => {
  // Who takes long over the catalogue forgets all at once: here it may take as long as a busy machine needs.
  const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms === invalidationTimeoutMs ? 60_000 : ms, signal)
  shop = await aShop({
    wallet: false,
    settings: { languages: [{ tag: 'de-DE' }] },
    environment: { clock: { ...systemClock, sleep } },
  })
  const [{ slug = '' } = {}] = await shop.db.sql<{ slug: string }[]>`
    select c.slug from products p join product_categories pc on pc.product_id = p.id join categories c on c.id = pc.category_id
    where p.slug = 'linen-shirt' limit 1`
  other = `/product-category/${slug}/`
  pages = [mug, shirt, '/shop/', kitchen, dear, other, '/terms/', `/de${shirt}`]
  // From then on the shop knows the catalogue, and of each change what it was.
  await fetch(`${shop.url}/shop/`)
  await edit('MUG')
}, 60_000)
afterAll(() => shop.close())

let cents = 1000
const price = () => (cents / 100).toFixed(2)

async function edit(sku: string) {
  const products = await loadCommand('products')
  if (!products) throw new Error('there is no command for products')
  const { instance } = shop.shop.application.tools
  cents += 1
  const args = ['edit', sku, '--price', price(), '--sale-price', '']
  expect((await runCommandWith({ instance }, products, shop.db, ...args)).code).toBe(0)
}

const kept = () => pages.filter((path) => shop.shop.application.pageCache.get(path))

/** What is still there once the first page is gone. */
async function leftBy(change: () => Promise<unknown>, gone: string): Promise<string[]> {
  const { pageCache } = shop.shop.application
  await change()
  await vi.waitFor(() => expect(pageCache.get(gone)).toBeUndefined(), { timeout: 15_000, interval: 10 })
  return kept()
}

/** What an earlier change still has to forget is forgotten by then. */
const keepAll = () =>
  vi.waitFor(
    async () => {
      for (const path of pages) expect((await fetch(shop.url + path)).status).toBe(200)
      expect(kept()).toEqual(pages)
      await shop.shop.application.tools.clock.sleep(400)
      expect(kept()).toEqual(pages)
    },
    { timeout: 15_000, interval: 20 },
  )
beforeEach(keepAll)

describe('what is changed is forgotten where it shows, and nowhere else', () => {
  it('a product: its page, its category and what lists all', async () => {
    expect(await leftBy(() => edit('MUG'), mug)).toEqual([shirt, other, `/de${shirt}`])
    expect(await (await fetch(shop.url + kitchen)).text()).toContain(price())
  })

  it('a product that no list shows: the pages that lead to it, also while they may not show it', async () => {
    const { tools } = shop.shop.application
    const print = await shop.idOf('ONE')
    await shop.db.kysely.transaction().execute(async (tx) => {
      await sql`update products set visibility = 'hidden', status = 'draft' where id = ${print}`.execute(tx)
      await sql`insert into product_links (product_id, kind, position, linked_id)
        select id, 'upsell', 0, ${print} from products where slug = 'linen-shirt'`.execute(tx)
      await catalogChanged(tx)
    })
    await vi.waitFor(() => expect(kept()).toEqual([]), { timeout: 15_000, interval: 10 })
    await keepAll()
    const publish = () => changeProducts(tools, [print], { status: 'publish' })
    expect(await leftBy(publish, '/shop/')).toEqual([mug, kitchen, dear, other])
    expect(await (await fetch(shop.url + shirt)).text()).toContain('One-off print')
  })

  it('a translation: the pages of its language', async () => {
    expect(await leftBy(() => say(shop, 'de-DE', { 'Linen shirt': 'Leinenhemd' }), `/de${shirt}`)).toEqual(
      pages.filter((path) => !path.startsWith('/de')),
    )
  })

  it('a setting: all', async () => {
    const change = () => writeSettings(shop.db, { storeNotice: { enabled: true, text: 'Closed on Monday.' } })
    expect(await leftBy(change, mug)).toEqual([])
  })
})
