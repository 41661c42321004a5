import { describe, expect, it } from 'vitest'
import { dailySpending } from '#database/translation/queue.ts'
import { aTranslationQueue } from '#tests/support/translation/translation-queue.ts'
import { translateQueue } from './translate-queue.ts'

const queue = aTranslationQueue()

describe('a day', () => {
  it('has as many characters as the merchant says, to the very last, and begins where the shop is', async () => {
    await queue.remember('12345 abcd', 'äöüß🏺 fghi', 'x')
    const shop = queue.shop({ charactersPerDay: 20 }, { timeZone: 'Asia/Tokyo' })
    // Characters are counted, not bytes: ten and ten.
    expect(await queue.run(shop)).toMatchObject({ end: 'limit', characters: 20, saved: 2 })
    expect(await dailySpending(queue.db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 20, calls: 1 })
    queue.setTime('2026-05-12T14:59:59Z')
    expect(await queue.run(shop)).toMatchObject({ end: 'limit', calls: 0 })
    queue.setTime('2026-05-12T15:00:00Z')
    expect(await queue.run(shop)).toMatchObject({ end: 'done', saved: 1 })
    expect(await dailySpending(queue.db.kysely, '2026-05-13', 'deepl')).toEqual({ characters: 1, calls: 1 })
  })

  it('is not used up by calls that certainly did nothing', async () => {
    await queue.remember('A cup')
    queue.engines.fail(500, 429, 500)
    await translateQueue(queue.shop({ charactersPerDay: 5 }), { until: queue.inMinutes(10) })
    expect(await dailySpending(queue.db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 5, calls: 4 })
    expect((await queue.kept()).length).toBe(1)
  })
})
