import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'

let shop: ShopOfProcesses
beforeAll(async () => {
  shop = await aShopOfProcesses()
})
afterAll(() => shop?.close())

const url = '/api/stats/hit?current_page_type=page&page_uri=/kept/'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** @returns whether it was counted: a process that has just started, on a busy machine, may have given it up */
async function look(): Promise<boolean> {
  const headers = { 'user-agent': agent, 'accept-language': 'de' }
  const answer = await (await fetch(shop.url + url, { headers })).json()
  return (answer as { data: { exclusion: unknown } }).data.exclusion === false
}

async function figures() {
  const [row] = await shop.db.sql<{ visitors: number; visits: number; views: number }[]>`
    select sum(visitors)::int as visitors, sum(visits)::int as visits, sum(views)::int as views
    from stat_count where dimension = 'total' and grain = 'day'`
  return row
}

describe('a process that is killed', () => {
  it('STAT-04 loses what it had not written yet, and knows its visitors again afterwards', async () => {
    await shop.start()
    await expect.poll(look, { timeout: 60_000 }).toBe(true)
    // By itself, within about a second.
    await expect.poll(async () => (await figures())?.views, { timeout: 60_000 }).toBe(1)
    const before = await figures()
    await shop.kill()
    expect(await figures()).toEqual(before)

    await shop.start()
    await expect.poll(look, { timeout: 60_000 }).toBe(true)
    await expect.poll(figures, { timeout: 60_000 }).toEqual({ visitors: 1, visits: 1, views: 2 })
    const [salts] = await shop.db.sql<{ n: number }[]>`select count(distinct salt)::int as n from stat_salt`
    expect(salts?.n).toBeLessThanOrEqual(2)
    await shop.kill()
  })
})
