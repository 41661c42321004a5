import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { emptyBatchQueue, runInBatch } from './run-in-batch.ts'

/** A clock on which timeouts never expire. */
const patient = { now: () => new Date(0), sleep: (_ms: number) => new Promise<void>(() => {}) }
const later = { ...patient, now: () => new Date(1000) }

/** Work that ends when a test wants it, and a record of the batches. */
function aWorkshop() {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const queue = emptyBatchQueue()
  const work = async (things: readonly string[]): Promise<string[]> => {
    groups.push([...things])
    await new Promise<void>((end) => ends.push(end))
    if (things.includes('bad')) throw new Error('bad')
    return things.map((thing) => thing.toUpperCase())
  }
  return {
    groups,
    ask: (thing: string, { key = thing, clock = patient as typeof patient } = {}) =>
      runInBatch({ queue, clock }, thing, key, work),
    /** Ends all work in progress, and lets the next batch begin. */
    async end() {
      for (const end of ends.splice(0)) end()
      await new Promise((resolve) => setTimeout(resolve))
    },
  }
}

describe('work that is done together', () => {
  it('is begun at once for whoever comes alone, and in one go for those who came meanwhile', async () => {
    const { groups, ask, end } = aWorkshop()
    const answers = Promise.all([ask('a'), ask('b'), ask('c')])
    expect(groups).toEqual([['a']])
    await end()
    expect(groups).toEqual([['a'], ['b', 'c']])
    await end()
    expect(await answers).toEqual(['A', 'B', 'C'])
    void ask('d', { clock: later })
    expect(groups).toHaveLength(3)
  })

  it('waits a moment for more where several came in one go a moment ago, or others are under way', async () => {
    const { groups, ask, end } = aWorkshop()
    const sleeps: { ms: number; over: () => void }[] = []
    const sleep = (ms: number) => new Promise<void>((over) => sleeps.push({ ms, over }))
    const clock = { now: () => new Date(0), sleep }
    const moments = () => sleeps.filter(({ ms }) => ms === 2)
    const pass = async (ms: number) => {
      for (const one of sleeps.splice(0)) if (one.ms <= ms) one.over()
      await new Promise((resolve) => setTimeout(resolve))
    }
    void ask('a', { clock })
    expect(groups, 'alone, at once').toEqual([['a']])
    await pass(4)
    void ask('b', { clock })
    void ask('c', { clock })
    expect(groups, 'while a is under way').toHaveLength(1)
    expect(moments()).toHaveLength(1)
    await pass(2)
    expect(groups).toEqual([['a'], ['b', 'c']])
    await end()
    void ask('d', { clock })
    void ask('e', { clock })
    expect(groups, 'after several came').toHaveLength(2)
    await pass(2)
    expect(groups).toEqual([['a'], ['b', 'c'], ['d', 'e']])
    await end()
    void ask('f', { clock: { ...later, sleep } })
    expect(groups, 'the rush is over').toHaveLength(4)
  })

  it('fails for nobody of another: each is done alone then', async () => {
    const { groups, ask, end } = aWorkshop()
    const answers = Promise.allSettled([ask('a'), ask('b'), ask('bad'), ask('c')])
    for (let ends = 0; ends < 3; ends += 1) await end()
    expect(groups).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  it('holds no two things with the same key', async () => {
    const { groups, ask, end } = aWorkshop()
    const answers = Promise.all([ask('a'), ask('b', { key: 'one' }), ask('c', { key: 'one' }), ask('d')])
    for (let ends = 0; ends < 3; ends += 1) await end()
    await answers
    expect(groups).toEqual([['a'], ['b', 'd'], ['c']])
  })

  it('keeps nobody waiting for one that takes long', async () => {
    const { groups, ask, end } = aWorkshop()
    let over = () => {}
    const clock = {
      now: () => new Date(0),
      sleep: () =>
        new Promise<void>((resolve) => {
          over = resolve
        }),
    }
    const answers = Promise.all([ask('slow', { clock }), ask('b', { clock })])
    expect(groups).toEqual([['slow']])
    over()
    await new Promise((resolve) => setTimeout(resolve))
    expect(groups).toEqual([['slow'], ['b']])
    await end()
    expect(await answers).toEqual(['SLOW', 'B'])
  })

  it('runs on behalf of the first of those who are done together', async () => {
    const who = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const queue = emptyBatchQueue()
    const ask = (name: string) =>
      who.run(name, () =>
        runInBatch({ queue, clock: patient }, name, name, async (names) => {
          seen.push(who.getStore())
          await new Promise((resolve) => setTimeout(resolve))
          return names
        }),
      )
    await Promise.all([ask('a'), ask('b'), ask('c')])
    expect(seen).toEqual(['a', 'b'])
  })
})
