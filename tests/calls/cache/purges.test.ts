import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { recordBuild } from '#database/operations/page-builds.ts'
import { readPurgeState, withPurgeLock } from '#database/operations/page-purges.ts'
import { isInstanceAlive } from '#database/payments/payments.ts'
import { settleMs } from '#server/cache/page-purges.ts'
import { systemEnvironment } from '#server/operations/startup/environment.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { anotherProcess } from '#tests/support/payments/bookkeeping.ts'
import { aCachingProxy, type CachingProxy, quiet } from '#tests/support/process/caching-proxy.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { say } from '#tests/support/translation/add-translations.ts'

/** Two seconds are what is promised, on a machine that has nothing else to do. */
const patience = { timeout: 15_000, interval: 20 }

const mug = '/product/plain-mug/'
const shirt = '/product/linen-shirt/'
const kitchen = '/product-category/kitchen/'
const pages = [mug, shirt, '/shop/', kitchen, '/product-category/clothes/', `/de${shirt}`]

const lines: string[] = []
const line = (level: string) => (facts: Record<string, unknown>, message: string) =>
  void lines.push(`${level} ${JSON.stringify(facts)} ${message}`)
const log = { info: line('info'), warn: line('warn'), error: line('error') }

let cache: CachingProxy
let shop: TestShop
let second: RunningShop
beforeAll(async () => {
  cache = await aCachingProxy('varnish')
  const environment = systemEnvironment(log, ['127.0.0.1'])
  const kept = { cdnSeconds: 300, purge: cache.purge, environment }
  shop = await aShop({
    wallet: false,
    settings: { languages: [{ tag: 'de-DE' }], statistics: { enabled: false } },
    ...kept,
  })
  second = await anotherProcess(shop, kept)
  cache.origins = [shop.url, second.url]
}, 60_000)
afterAll(async () => {
  await second?.stop()
  await shop?.close()
  await cache?.[Symbol.asyncDispose]()
})

beforeEach(async () => {
  cache.mode = 'well'
  await quiet(cache)
  for (const path of pages) {
    await cache.page(path)
    expect({ path, kept: cache.has(path) }).toEqual({ path, kept: true })
  }
  cache.purges.splice(0)
  cache.asked.splice(0)
}, 60_000)

async function price(figure: string) {
  const { instance } = shop.shop.application.tools
  const products = await loadCommand('products')
  if (!products) throw new Error('there is no command for products')
  const args = ['edit', 'MUG', '--price', figure, '--sale-price', '']
  expect((await runCommandWith({ instance }, products, shop.db, ...args)).code).toBe(0)
}

const shows = (path: string, words: string) =>
  vi.waitFor(async () => expect(await cache.page(path)).toContain(words), patience)

/** @returns what the cache still has of the pages at the moment in which the first page shows the change */
async function leftBy(change: () => Promise<unknown>, path: string, words: string): Promise<string[]> {
  expect(await cache.page(path)).not.toContain(words)
  await change()
  const changed = performance.now()
  await shows(path, words)
  console.info(`${words}: ${Math.round(performance.now() - changed)} ms`)
  return pages.filter((one) => one !== path && cache.has(one))
}

/** PostgreSQL may name a connection for a moment after it was closed. */
const gone = ({ application }: RunningShop) =>
  expect
    .poll(() => shop.db.kysely.transaction().execute((tx) => isInstanceAlive(tx, application.tools.instance)))
    .toBe(false)

const productTag = async (sku: string) => `product-${await shop.idOf(sku)}`

describe('P5 a cache in front lets go of what has changed, and shows the new', () => {
  it('a price: product and listings, by one call of one of two processes', async () => {
    expect(await leftBy(() => price('97.53'), mug, '$97.53')).toEqual([
      shirt,
      '/product-category/clothes/',
      `/de${shirt}`,
    ])
    await shows('/shop/', '$97.53')
    await quiet(cache)
    expect(cache.purges).toHaveLength(1)
    expect(cache.asked).toHaveLength(1)
    const told = cache.purges[0]?.tags ?? []
    expect(told).toEqual(
      expect.arrayContaining(['catalog', await productTag('MUG'), 'category-cups', 'category-kitchen']),
    )
    expect(told).not.toContain(await productTag('SHIRT'))
    expect(cache.asked[0]?.token).toBe(cache.purge.token)
  })

  it('several changes within a moment go out together', async () => {
    for (const figure of ['11.01', '11.02', '11.03', '11.04']) await price(figure)
    await shows(mug, '$11.04')
    await quiet(cache)
    expect(cache.purges.length).toBeLessThanOrEqual(2)
    expect(cache.has(shirt)).toBe(true)
  })

  it('where a product is filed: the category that it leaves, and the one that it comes to', async () => {
    const file = join(shop.dataDir, 'moved.csv')
    await writeFile(file, 'SKU,Categories\nBOWL,Clothes\n')
    const { application } = shop.shop
    const move = async () => {
      const places = {
        mediaDir: application.mediaFolder,
        downloadsDir: application.downloadsFolder,
        lookup: async () => [],
      }
      const report = await importProducts(application.tools, {
        file,
        delimiter: ',',
        existing: 'update',
        dryRun: false,
        imagesDir: shop.dataDir,
        ...places,
      })
      expect(report.ok ? [] : report.faults).toEqual([])
    }
    expect(await cache.page(kitchen)).toContain('Soup bowl')
    await move()
    await vi.waitFor(async () => expect(await cache.page(kitchen)).not.toContain('Soup bowl'), patience)
    await shows('/product-category/clothes/', 'Soup bowl')
    await quiet(cache)
    // Words and places of a product are in searches and filters of all kinds: everything is let go of.
    expect(cache.purges.map(({ tags }) => tags)).toEqual([['page']])
    await rm(file)
  })

  it('a translation: the pages of its language', async () => {
    const change = () => say(shop, 'de-DE', { 'Linen shirt': 'Leinenhemd' })
    expect(await leftBy(change, `/de${shirt}`, 'Leinenhemd')).toEqual(pages.filter((path) => !path.startsWith('/de')))
    expect(cache.purges.map(({ tags }) => tags)).toEqual([['language-de-DE']])
  })

  it('a new version of the shop: everything, once the last process of the old one is gone, however it ended', async () => {
    const kept = { cdnSeconds: 300, purge: cache.purge }
    const newer = await anotherProcess(shop, { ...kept, build: 'newer' })
    // Both old ones run on: what they make is shown until they go.
    await new Promise((resolve) => setTimeout(resolve, 2 * settleMs))
    expect(cache.purges).toEqual([])
    // One that was killed told nobody that it ended.
    await recordBuild(shop.db, { build: 'newer', instance: 2 ** 30 })
    await newer.stop()
    await gone(newer)
    const newest = await anotherProcess(shop, { ...kept, build: 'newest' })
    await vi.waitFor(() => expect(cache.purges.map(({ tags }) => tags)).toEqual([['page']]), patience)
    // And back: a process of a build that is there already changes nothing.
    const another = await anotherProcess(shop, { ...kept, build: 'newest' })
    await another.stop()
    await gone(another)
    await new Promise((resolve) => setTimeout(resolve, 2 * settleMs))
    expect(cache.purges).toHaveLength(1)
    await newest.stop()
    await gone(newest)
    expect(await recordBuild(shop.db, { build: '', instance: shop.shop.application.tools.instance })).toBe(true)
  })

  it('a setting: everything, by one call', async () => {
    const change = () => writeSettings(shop.db, { storeNotice: { enabled: true, text: 'Closed on Monday.' } })
    expect(await leftBy(change, mug, 'Closed on Monday.')).toEqual([])
    await quiet(cache)
    expect(cache.purges.map(({ tags }) => tags)).toEqual([['page']])
  })
})

describe('P10 a cache that does not take what it is told', () => {
  it.each(['down', 'elsewhere'] as const)(
    'T22 %s: shows the new once it is well again, and others stay',
    async (mode) => {
      cache.mode = mode
      const figure = mode === 'down' ? '21.01' : '21.02'
      await price(figure)
      await vi.waitFor(() => expect(cache.asked.length).toBeGreaterThanOrEqual(2), patience)
      expect(await cache.page(mug)).not.toContain(figure)
      const metrics = await (await fetch(`${shop.url}/metrics`, { headers: monitorHeaders })).text()
      expect(metrics).toMatch(/vitrine_page_purge_oldest_seconds [1-9]/)
      expect(metrics).toMatch(/vitrine_page_purges_total\{outcome="failed"\} [1-9]/)
      cache.mode = 'well'
      await shows(mug, figure)
      expect(cache.has(shirt)).toBe(true)
      await quiet(cache)
      expect(cache.purges).toHaveLength(1)
      expect(new Set(cache.asked.map(({ path }) => path))).toEqual(new Set(['/']))
      expect(await (await fetch(`${shop.url}/metrics`, { headers: monitorHeaders })).text()).toMatch(
        /vitrine_page_purge_oldest_seconds 0\n/,
      )
    },
  )

  it('T37 is asked with a token that no line of the log holds', () => {
    expect(lines.some((one) => one.includes('CDN purge failed'))).toBe(true)
    expect(lines.filter((one) => one.includes(String(cache.purge.token)))).toEqual([])
  })
})

describe('P10 a process that dies between a change and its call', () => {
  it('leaves the call to another one', async () => {
    // As long as somebody holds the lock nobody calls; whoever held it is dead when its connection is gone.
    let died = () => {}
    const held = withPurgeLock(shop.db, () => new Promise<void>((resolve) => (died = resolve)))
    await price('31.01')
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(cache.asked).toEqual([])
    died()
    await held
    await shows(mug, '31.01')
    expect(cache.purges).toHaveLength(1)
  })

  it('leaves it to the next start, when there was no other', async () => {
    await second.stop()
    await shop.shop.stop()
    await price('41.01')
    expect(await readPurgeState(shop.db)).toMatchObject({ changes: { catalog: expect.any(Number) } })
    const next = await anotherProcess(shop, { cdnSeconds: 300, purge: cache.purge })
    cache.origins = [next.url]
    await shows(mug, '41.01')
    await next.stop()
  })
})
