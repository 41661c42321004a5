import { expect, it } from 'vitest'
import { growthAnHour, soak } from '../../bench/support/soak.ts'
import { nightly, size } from '../support/size.ts'

it('M17 keeps no more memory and no more open files, however many visitors have been there', {
  timeout: size(300_000, 9 * 3_600_000),
}, async () => {
  const { samples, orders, errors } = await soak({
    rounds: size(3, 48),
    // On a slow machine fewer come in the same time, and caches would fill until the end.
    warmRounds: size(1, 0),
    roundSeconds: size(12, 600),
    shoppers: size(60, 200),
    thinkMs: size(500, 2_000),
  })
  expect(errors).toEqual([])
  expect(orders).toBeGreaterThan(0)
  const [first, last] = [samples.at(0), samples.at(-1)]
  if (!first || !last) throw new Error('nothing was measured')
  if (nightly) {
    expect(growthAnHour(samples, ({ liveMb }) => liveMb)).toBeLessThan(1)
    expect(growthAnHour(samples, ({ files }) => files)).toBeLessThan(1)
    return
  }
  // In a minute caches still fill, by some three kilobytes a request. One and a half more come where every visit is kept.
  const perRequestKb = ((last.liveMb - first.liveMb) * 1000) / (last.requests - first.requests)
  console.info(`${last.requests} requests: ${perRequestKb.toFixed(1)} KB of each kept, ${last.files} files open`)
  expect(perRequestKb).toBeLessThan(4)
  expect(last.files - first.files).toBeLessThan(10)
})
