import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nightly, size } from '#tests/support/size.ts'
import { missing, run, type Summary } from '../simulator/run.ts'
import { once } from './bookkeeping.ts'

/** `SEED` chooses another run. */
const seed = Number(process.env.SEED ?? 3)
const usual = { seed, workers: 2, episode: null, untilStep: null, bug: null, seconds: null }
const reports = join(import.meta.dirname, '../../reports')

const brokenIn = ({ failures }: Summary) =>
  failures.map(({ episode, steps, violations }) => ({ episode, steps, violations }))

describe('the simulator', once, () => {
  it(
    'M1 I1 to I13, P1 to P5, F1 to F4 and F15 to F24 at random: no promise is broken, whatever befalls shop and provider',
    async () => {
      const summary = await run({
        ...usual,
        purchases: size(120, 100_000),
        each: 40,
        seconds: size(240, 1_700),
      })
      await mkdir(reports, { recursive: true })
      await writeFile(join(reports, 'simulator.json'), `${JSON.stringify(summary, null, 2)}\n`)
      expect(brokenIn(summary), `node tests/simulator/main.ts --seed ${seed} --each 40`).toEqual([])
      // So that nothing of this is true because nothing happened.
      expect(summary.counts).toMatchObject({ purchases: expect.any(Number), 'approved by buyer': expect.any(Number) })
      if (nightly) expect(missing(summary)).toEqual([])
    },
    size(10, 40) * 60_000,
  )
})

describe('a seed', () => {
  it('M1: a broken promise is met again at the same step, by the same seed', async () => {
    const planted = { ...usual, bug: 'stock taken twice', workers: 1, seed: 7, each: 6, purchases: 600 }
    const first = await run(planted)
    const [failure] = first.failures
    expect(failure?.violations.map(({ rule }) => rule)).toContain('I4')

    const again = await run({ ...planted, episode: failure?.episode ?? 0, untilStep: failure?.steps ?? 0 })
    expect(brokenIn(again)).toEqual(brokenIn(first))
  }, 600_000)
})
