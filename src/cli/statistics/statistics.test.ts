import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aCountingShop, aPage, aSender } from '#tests/support/statistics/statistics-fixtures.ts'
import { statisticsCommand } from './statistics.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const clock = { now: () => new Date('2026-11-22T12:01:00Z'), sleep: async () => {} }
const statistics = (...args: string[]) => runCommandWith({ clock }, statisticsCommand, db, ...args)

describe('statistics', () => {
  it('STAT-04 says that nothing was counted yet', async () => {
    const { code, out } = await statistics()
    expect([code, out]).toEqual([0, 'No visit was counted yet. Visits are counted once the shop is open to visitors.'])
  })

  it('STAT-04 says what was left out where nothing else has come', async () => {
    const counter = aCountingShop(db).process()
    await counter.flush()
    for (let time = 0; time < 2; time += 1) counter.view(aSender({ 'accept-language': '' }), aPage())
    await counter.flush()
    const { out } = await statistics()
    expect(out).toMatch(/^No visit was counted yet\..*\n\nNot counted {2}Times\nrobots {11}2$/)
  })

  it('STAT-04 shows the figures of the last days beside those before, as a table and for programs', async () => {
    const shop = aCountingShop(db)
    const counter = shop.process()
    shop.at('2026-11-21T12:00:00Z')
    await counter.flush()
    counter.view(aSender(), aPage('/old/'))
    await counter.flush()
    shop.at('2026-11-22T12:00:00Z')
    await counter.flush()
    for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      counter.view(aSender({}, ip), aPage('/?s=', { search: 'hat', referred: 'https://www.google.com/' }))
    }
    counter.view(aSender({}, '203.0.113.1'), aPage('/\u001b[31mred/', { query: 'utm_source=%1b[2Jnews' }))
    counter.view(aSender({ dnt: '1' }), aPage())
    await counter.flush()

    const { code, out } = await statistics('--days', '1')
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, 4)).toEqual([
      '          2026-11-22 – 2026-11-22  2026-11-21 – 2026-11-21',
      'Visitors                        3                        1  +200 %',
      'Visits                          3                        1  +200 %',
      'Views                           4                        1  +300 %',
    ])
    expect(out).toContain('AT            3         3        3')
    expect(out).toMatch(/^hat {2,}3$/m)
    expect(out).toMatch(/^visitors who do not want to be tracked {2,}1$/m)
    // What a stranger wrote commands no terminal.
    expect(out).not.toContain('\u001b')
    expect(JSON.parse((await statistics('show', '--days', '2', '--json')).out).totals).toEqual({
      visitors: 4,
      visits: 4,
      views: 5,
    })
    expect((await statistics('online')).out).toMatch(/^3 visitors are online\.\n2 {2}\/\?s=/)
  })

  it.each(['0', '801', 'all', '-1', '1.5'])('STAT-04 refuses --days %s', async (days) => {
    expect((await statistics('--days', days)).code).toBe(2)
  })
})
