import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { limitGuesses, networkOf } from './limit-attempts.ts'

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', '::/64'],
  ])('of %s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})

describe('tries', () => {
  it('T32 ten of an account, then waits that double, up to a quarter of an hour, and no lock for good', async () => {
    await using db = await aDatabase()
    let now = Date.UTC(2026, 0, 1)
    const clock = { now: () => new Date(now), sleep: async () => undefined }
    const attempt = async (subject: string, ip: string) => limitGuesses({ db, clock }, 'log-in', { subject, ip })

    for (let count = 0; count < 10; count += 1) expect((await attempt('ada', `10.0.0.${count}`)).ok).toBe(true)
    expect(await attempt('ada', '10.0.0.99')).toEqual({ ok: false, waitMs: 90_000 })
    expect((await attempt('grace', '10.0.0.99')).ok).toBe(true)

    now += 89_000
    expect(await attempt('ada', '10.0.0.99')).toEqual({ ok: false, waitMs: 1_000 })
    now += 1_000
    for (const next of [180, 360, 720, 900, 900, 900]) {
      expect((await attempt('ada', '10.0.0.99')).ok).toBe(true)
      expect(await attempt('ada', '10.0.0.99')).toEqual({ ok: false, waitMs: next * 1000 })
      now += next * 1000
    }

    // An empty bucket starts again with the first wait.
    now += 15 * 60_000
    for (let count = 0; count < 10; count += 1) expect((await attempt('ada', '10.0.0.1')).ok).toBe(true)
    expect(await attempt('ada', '10.0.0.2')).toEqual({ ok: false, waitMs: 90_000 })
  })

  it('T32 honest tries neither lengthen nor shorten a wait that has grown', async () => {
    await using db = await aDatabase()
    let now = Date.UTC(2026, 0, 1)
    const clock = { now: () => new Date(now), sleep: async () => undefined }
    const attempt = async (subject: string) => limitGuesses({ db, clock }, 'log-in', { subject, ip: '10.0.0.1' })
    for (let count = 0; count < 10; count += 1) await attempt(`victim-${count}`)
    now += 90_000
    const honestly = async () => {
      const tries = await attempt('owner')
      if (!tries.ok) throw new Error('an honest customer was refused')
      await tries.honest()
    }
    for (let count = 0; count < 5; count += 1) await honestly()
    expect((await attempt('victim-11')).ok).toBe(true)
    expect(await attempt('victim-12')).toEqual({ ok: false, waitMs: 180_000 })
    now += 6 * 60_000
    for (let count = 0; count < 50; count += 1) await honestly()
    expect((await attempt('victim-12')).ok).toBe(true)
    expect((await attempt('victim-13')).ok).toBe(true)
    expect((await attempt('victim-14')).ok).toBe(true)
    // Two were refilled in the three minutes; the third uses up the bucket, and the wait has grown again.
    expect(await attempt('victim-15')).toEqual({ ok: false, waitMs: 360_000 })
  })

  it('T32 a network is limited too, and honest tries are given back', async () => {
    await using db = await aDatabase()
    const clock = { now: () => new Date(Date.UTC(2026, 0, 1)), sleep: async () => undefined }
    const attempt = (subject: string) => limitGuesses({ db, clock }, 'log-in', { subject, ip: '10.0.0.1' })
    for (let count = 0; count < 100; count += 1) {
      const tries = await attempt('honest')
      if (!tries.ok) throw new Error('an honest customer was refused')
      await tries.honest()
    }
    for (let count = 0; count < 10; count += 1) expect((await attempt(`victim-${count}`)).ok).toBe(true)
    expect((await attempt('another')).ok).toBe(false)
  })

  it('T32 of tries at the same moment no more are let through', async () => {
    await using db = await aDatabase({ max: 10 })
    const clock = { now: () => new Date(Date.UTC(2026, 0, 1)), sleep: async () => undefined }
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        limitGuesses({ db, clock }, 'log-in', { subject: 'ada', ip: `10.0.1.${n}` }),
      ),
    )
    expect(all.filter(({ ok }) => ok)).toHaveLength(10)
  })
})
