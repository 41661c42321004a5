import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { anotherProcess } from '#tests/support/payments/bookkeeping.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { say } from '#tests/support/translation/add-translations.ts'

/** A second is what is promised, on a machine that has nothing else to do. */
const patience = { timeout: 15_000, interval: 20 }

let shop: TestShop
let second: RunningShop
let page: string
beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    settings: { languages: [{ tag: 'de-DE' }], payments: { cod: { enabled: true } } },
  })
  second = await anotherProcess(shop)
  const [{ slug = '' } = {}] = await shop.db.sql<{ slug: string }[]>`select slug from products where sku = 'MUG'`
  page = `/product/${slug}/`
})
afterAll(async () => {
  await second?.stop()
  await shop?.close()
})

/** What a stranger sees at each process, kept pages and all. */
const seen = (path: string) =>
  Promise.all(
    [shop.url, second.url].map(async (url) => (await (await fetch(url + path)).text()).replace(/<[^>]*>/g, '')),
  )

/** Each process has the page at hand as it was; after the change each shows it as it is. @returns how long that took, in milliseconds */
async function reachesAll(paths: readonly string[], words: string, change: () => Promise<unknown>): Promise<number> {
  for (const path of paths)
    for (const text of [...(await seen(path)), ...(await seen(path))]) expect(text).not.toContain(words)
  await change()
  const changed = performance.now()
  for (const path of paths) {
    await vi.waitFor(async () => {
      for (const text of await seen(path)) expect(text).toContain(words)
    }, patience)
  }
  return Math.round(performance.now() - changed)
}

const price = (figure: string) => async () => {
  const { instance } = shop.shop.application.tools
  const args = ['edit', 'MUG', '--price', figure, '--sale-price', '']
  const products = await loadCommand('products')
  if (!products) throw new Error('there is no command for products')
  expect((await runCommandWith({ instance }, products, shop.db, ...args)).code).toBe(0)
}

describe('P5 what is changed anywhere shows at every process', () => {
  it('a price, on product and listing', async () => {
    console.info(`a price: ${await reachesAll([page, '/shop/'], '$97.53', price('97.53'))} ms`)
  })

  it('a price, at once in a list that nobody has asked for before, whatever is remembered of its products', async () => {
    // They cost less than that, so that each of these addresses is a list of its own with the same products.
    const lists = [900_001, 900_002, 900_003].map((most) => `/shop/?max_price=${most}`)
    for (const [nr, list] of lists.entries()) {
      await price(`75.3${nr}`)()
      for (const text of await seen(list)) expect(text).toContain(`$75.3${nr}`)
    }
  })

  it('what a product is made of, in a search for it', async () => {
    const file = join(shop.dataDir, 'material.csv')
    const change = async () => {
      await writeFile(file, 'SKU,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible\nMUG,Material,Zircon,1\n')
      const { tools, mediaFolder, downloadsFolder } = shop.shop.application
      const report = await importProducts(tools, {
        file,
        delimiter: ',',
        existing: 'update',
        dryRun: false,
        imagesDir: shop.dataDir,
        mediaDir: mediaFolder,
        downloadsDir: downloadsFolder,
        lookup: async () => [],
      })
      expect(report.ok ? [] : report.faults).toEqual([])
    }
    const search = '/?s=zircon&post_type=product'
    console.info(`an attribute that is searched for: ${await reachesAll([search], 'Plain mug', change)} ms`)
  })

  it('a setting', async () => {
    const change = () => writeSettings(shop.db, { storeNotice: { enabled: true, text: 'Closed on Monday.' } })
    console.info(`a setting: ${await reachesAll([page], 'Closed on Monday.', change)} ms`)
  })

  it('a sale that begins in a minute in which payments keep the shop waiting', async () => {
    const { sql } = shop.db
    await sql`update products set sale_price = 707, sale_from = now(), sale_to = now() + interval '1 day' where sku = 'MUG'`
    await sql
      .begin(async (tx) => {
        await tx`lock table payment_attempts in access exclusive mode`
        const minute = maintain(shop.shop.application.tools)
        await vi.waitFor(
          async () => {
            for (const text of await seen(page)) expect(text).toContain('$7.07')
          },
          // Sooner than the shop gives up such a wait.
          { timeout: 4_000, interval: 20 },
        )
        return { minute }
      })
      .then(({ minute }) => minute)
    // Or what comes next would show by this change.
    await reachesAll([page], '$53.10', price('53.10'))
  })

  it('how few pieces an order has left', async () => {
    await shop.db.sql`update products set low_stock_amount = stock_quantity - 1 where sku = 'MUG'`
    const [{ pieces = 0 } = {}] = await shop.db.sql<{ pieces: number }[]>`
      select stock_quantity as pieces from products where sku = 'MUG'`
    const shopper = new Shopper(shop)
    await shopper.add('MUG')
    await shopper.openCheckout()
    const change = async () => expect((await shopper.placeOrder('cod')).result).toBe('success')
    console.info(`what is left: ${await reachesAll([page], `Only ${pieces - 1} left`, change)} ms`)
  })

  it('how many pieces count as none', async () => {
    const [{ pieces = 0 } = {}] = await shop.db.sql<{ pieces: number }[]>`
      select stock_quantity as pieces from products where sku = 'MUG'`
    const change = () => writeSettings(shop.db, { outOfStockAmount: pieces })
    console.info(`what is sold out: ${await reachesAll([page], 'Out of stock', change)} ms`)
    await writeSettings(shop.db, { outOfStockAmount: 0 })
    await vi.waitFor(async () => {
      for (const text of await seen(page)) expect(text).not.toContain('Out of stock')
    }, patience)
  })

  it('a translation', async () => {
    const change = () => say(shop, 'de-DE', { 'Plain mug': 'Schlichter Becher' })
    console.info(`a translation: ${await reachesAll([`/de${page}`], 'Schlichter Becher', change)} ms`)
  })

  it('a translation, in what a search of its language finds', async () => {
    const change = () => say(shop, 'de-DE', { 'Soup bowl': 'Suppenteller, quittengelb' })
    const search = '/de/?s=suppenteller&post_type=product'
    console.info(`a translation that is searched for: ${await reachesAll([search], 'quittengelb', change)} ms`)
  })

  it('P10 also what was changed while no process could hear of it', async () => {
    const change = async () => {
      await shop.db.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'vitrine'`
      await price('86.42')()
    }
    console.info(`a price after lost connections: ${await reachesAll([page, '/shop/'], '$86.42', change)} ms`)
  })

  it('P10 also what all pages name of the catalogue, when its announcement was missed', async () => {
    const change = async () => {
      const { sql } = shop.db
      await sql`insert into categories (name, slug) values ('Lamps', 'lamps')`
      await sql`insert into product_categories (product_id, category_id)
        select p.id, c.id from products p, categories c where p.sku = 'MUG' and c.slug = 'lamps'`
      // As `catalogChanged` leaves it for a process that hears nothing.
      await sql`with version as (
          update settings set value = to_jsonb((value #>> '{}')::bigint + 1) where key = 'catalogVersion'
          returning (value #>> '{}')::bigint as number
        ) insert into catalog_changes (version, product_id) select number, null from version`
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'vitrine' and query ilike 'listen%'`
    }
    console.info(`the menu after lost connections: ${await reachesAll(['/product/linen-shirt/'], 'Lamps', change)} ms`)
  })
})
