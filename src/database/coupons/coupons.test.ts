import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { cachedCoupon, findCoupon } from './coupons.ts'

describe('a coupon that is remembered', () => {
  const changes = {
    'was used': [`update coupons set used = used + 1`, true],
    'takes off something else': [`update coupons set amount_ppm = 200000`, false],
    'has another condition': [`update coupons set settings = '{"individualUse":true}'`, false],
    'has ended': [`update coupons set expires_at = '2020-01-01'`, false],
    'is gone': [`delete from coupons`, false],
  } as const
  it.each(Object.entries(changes))('is asked for when it %s', async (_what, [change, holds]) => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into coupons (code, type, amount_ppm) values ('ten', 'percent', 100000)`
    const isUnchanged = async () => {
      const recalled = cachedCoupon(db, 'ten')
      const [row] = recalled ? await db.sql<{ holds: boolean }[]>`select ${recalled.isUnchanged} as holds` : []
      return row?.holds ?? null
    }
    expect(await isUnchanged()).toBeNull()
    expect(await findCoupon(db, 'ten')).toMatchObject({ code: 'ten', amount_ppm: 100_000 })
    expect(await isUnchanged()).toBe(true)
    await db.sql.unsafe(change)
    expect(await isUnchanged()).toBe(holds)
    const present = await findCoupon(db, 'ten')
    expect(await isUnchanged()).toBe(present && true)
  })
})
