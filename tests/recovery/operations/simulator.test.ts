import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { missing, run, type Summary } from '#tests/simulator/run.ts'
import { nightly, seedOr, size } from '#tests/support/size.ts'

/** `SEED` chooses another run. */
const seed = seedOr(3)
// More than cores, since each waits for its database half of the time.
const workers = availableParallelism() + 1
const usual = { seed, workers, episode: null, untilStep: null, bug: null, seconds: null }
const wanted = size(200, 20_000)
const reports = join(import.meta.dirname, '../../../reports')

const brokenIn = ({ failures }: Summary) =>
  failures.map(({ episode, steps, violations }) => ({ episode, steps, violations }))

describe('the simulator', () => {
  it(
    'M1 I1 to I13, P1 to P5, F1 to F4 and F15 to F24 at random: no promise is broken, whatever befalls shop and provider',
    async () => {
      const summary = await run({
        ...usual,
        purchases: wanted,
        each: 40,
        // On a slow machine fewer: the report says how many.
        seconds: size(300, 7_000),
      })
      await mkdir(reports, { recursive: true })
      await writeFile(join(reports, 'simulator.json'), `${JSON.stringify(summary, null, 2)}\n`)
      expect(brokenIn(summary), `node tests/simulator/main.ts --seed ${seed} --each 40`).toEqual([])
      if (summary.purchases < wanted) console.warn(`Played ${summary.purchases} purchases in the time`)
      // So that nothing of this is true because nothing happened.
      expect(summary.purchases).toBeGreaterThan(100)
      if (nightly) expect(missing(summary)).toEqual([])
    },
    size(10, 130) * 60_000,
  )
})

describe('a seed', () => {
  it('M1: is the same run each time, step for step', async () => {
    // A long one, side by side on a busy machine: whoever looks at a statement too early sees another run each time.
    const long = { ...usual, seed: 3, each: 40, purchases: 40, episode: 19, workers: 1 }
    const [first, second] = await Promise.all([run(long), run(long)])
    expect({ ...second, seconds: 0 }).toEqual({ ...first, seconds: 0 })
    expect(first.steps).toBeGreaterThan(1_000)
  }, 600_000)

  it('M1: a broken promise is met again at the same step, by the same seed', async () => {
    const planted = { ...usual, bug: 'stock taken twice', workers: 1, seed: 7, each: 6, purchases: 600 }
    const first = await run(planted)
    const [failure] = first.failures
    expect(failure?.violations.map(({ rule }) => rule)).toContain('I4')

    const again = await run({ ...planted, episode: failure?.episode ?? 0, untilStep: failure?.steps ?? 0 })
    expect(brokenIn(again)).toEqual(brokenIn(first))
  }, 600_000)
})
