import { describe, expect, it } from 'vitest'
import { size } from '#tests/support/size.ts'
import { plantedBugs } from '../simulator/planted/bugs.ts'
import { run } from '../simulator/run.ts'
import { once } from './bookkeeping.ts'

/** Found within the first purchases, of different kinds: these are looked for at every change, all of them at night. */
const quick = ['coupon use not counted', 'total off by a cent']
const lookedFor = plantedBugs.filter(({ name }) => size(0, 1) === 1 || quick.includes(name))

describe('the simulator finds planted bugs', once, () => {
  it.each(lookedFor)(
    'M2: $name',
    async ({ name }) => {
      const asked = { purchases: 2_000, each: 8, workers: 2, seconds: size(300, 600) }
      const { failures } = await run({ ...asked, seed: 11, bug: name, episode: null, untilStep: null })
      expect(failures.flatMap(({ violations }) => violations).length).toBeGreaterThan(0)
    },
    size(600, 900) * 1_000,
  )
})
