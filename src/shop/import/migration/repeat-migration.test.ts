import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aClassicShop, type ClassicShop } from '#tests/support/import/classic-shop.ts'
import { aMigrationBench, everything, type MigrationBench } from '#tests/support/import/migration-bench.ts'

let shop: ClassicShop
let bench: MigrationBench
beforeEach(async () => {
  shop = await aClassicShop()
  bench = await aMigrationBench()
})
afterEach(async () => {
  await shop.close()
  await bench.close()
})

describe('a migration', () => {
  it('changes nothing when it is repeated, and then brings new records only', async () => {
    await bench.migrate(shop)
    await bench.db.sql`update products set name = 'Renamed here', regular_price = 1 where id = 102`
    await bench.db.sql`update products set regular_price = 77 where sku = 'BEAKER'`
    await bench.db.sql`delete from coupons where code = 'club'`
    const before = await everything(bench)
    const second = await bench.migrate(shop)
    expect(second).toMatchObject({ stopped: null })
    expect(await everything(bench)).toEqual(before)
    expect([...second.report.counts.values()].reduce((sum, { added }) => sum + added, 0)).toBe(0)
    expect(second.report.settings).toEqual([])

    const [first, vase] = [shop.lists.products?.[0], shop.lists.products?.[1]]
    shop.lists.products?.push({ ...first, id: 110, sku: 'NEW', name: 'New', slug: 'new', upsell_ids: [102] })
    Object.assign(vase ?? {}, { sku: '', variations: [201, 202, 203] })
    shop.lists['products/tags']?.push({ id: 33, name: 'late', slug: 'late', description: '' })
    shop.lists.coupons?.push({ ...shop.lists.coupons[0], id: 308, code: 'new' })
    const third = await bench.migrate(shop)
    expect(third.stopped).toBeNull()
    const after = await everything(bench)
    const isNew = (table: string) => after[table]?.filter((row) => !before[table]?.includes(row)).length
    expect([isNew('products'), isNew('tags'), isNew('coupons'), isNew('product_links')]).toEqual([1, 1, 1, 1])
    expect(before.products?.filter((row) => !after.products?.includes(row))).toEqual([])
  })

  it('ends the same wherever it was killed and started again', async () => {
    const whole = await aMigrationBench()
    let steps = 0
    await whole.migrate(shop, {}, () => {
      steps += 1
    })
    const wanted = await everything(whole)
    await whole.close()
    expect(steps).toBeGreaterThan(20)
    for (let end = 1; end <= steps; end += 5) {
      const killed = await aMigrationBench()
      let step = 0
      const die = () => {
        step += 1
        if (step === end) throw new Error('killed')
      }
      await expect(killed.migrate(shop, {}, die)).rejects.toThrow('killed')
      const { stopped } = await killed.migrate(shop)
      expect({ end, stopped, ...(await everything(killed)) }).toEqual({ end, stopped: null, ...wanted })
      expect(await killed.rows('migration_progress')).toEqual([])
      await killed.close()
    }
  }, 120_000)

  it('reads page by page, and goes on after 429 and 500 on the way', async () => {
    const plain = await aMigrationBench()
    await plain.migrate(shop)
    const wanted = await everything(plain)
    await plain.close()
    shop.requests.length = 0
    shop.pageSize = 2
    shop.troubles.push(
      { path: 'products', status: 429, headers: { 'retry-after': '1' } },
      { path: 'coupons', status: 500 },
      { path: 'products/102/variations', status: 503 },
    )
    expect(await bench.migrate(shop)).toMatchObject({ stopped: null })
    expect(await everything(bench)).toEqual(wanted)
    expect(shop.requests.filter(({ path, status }) => path === 'products' && status === 200)).toHaveLength(5)
    expect(shop.troubles).toEqual([])
  })

  it('ends where the shop stays away, and continues later without reading all again', async () => {
    shop.pageSize = 2
    shop.troubles.push(...Array.from({ length: 7 }, () => ({ path: 'coupons', status: 503 })))
    const { stopped, done } = await bench.migrate(shop)
    expect(stopped).toEqual({ problem: 'old.example/wp-json/wc/v3/coupons: status 503, 7 times in a row' })
    expect(done).toEqual(['settings', 'taxes', 'terms', 'products', 'shipping'])
    const before = shop.requests.length
    expect(await bench.migrate(shop)).toMatchObject({ stopped: null })
    expect(shop.requests.slice(before).filter(({ path }) => path === 'products')).toEqual([])
  })
})
