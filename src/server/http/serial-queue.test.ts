import { expect, it } from 'vitest'
import { limitConcurrency } from './serial-queue.ts'

it('lets so many work at a time, the others in their order, and goes on after one that fails', async () => {
  const run = limitConcurrency(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (nr: number) => () => {
    begun.push(nr)
    return new Promise<number>((resolve, reject) =>
      ends.push(() => (nr === 1 ? reject(new Error('one')) : resolve(nr))),
    )
  }
  const moment = () => new Promise((resolve) => setImmediate(resolve))
  const all = Promise.allSettled([0, 1, 2, 3, 4].map((nr) => run(work(nr))))
  await moment()
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await moment()
  expect(begun).toEqual([0, 1, 2])
  const late = run(work(5))
  ends[0]?.()
  ends[2]?.()
  await moment()
  expect(begun).toEqual([0, 1, 2, 3, 4])
  for (const nr of [3, 4]) ends[nr]?.()
  await moment()
  ends[5]?.()
  expect(await late).toBe(5)
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  // All slots are free again.
  const again = [run(work(6)), run(work(7))]
  expect(begun.slice(-2)).toEqual([6, 7])
  for (const nr of [6, 7]) ends[nr]?.()
  expect(await Promise.all(again)).toEqual([6, 7])
})
