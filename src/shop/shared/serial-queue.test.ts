import { describe, expect, it } from 'vitest'
import { runSerially, type SerialQueues } from './serial-queue.ts'

describe('work on one thing', () => {
  const queues: SerialQueues = new Map()

  it('is done one after the other, in the order of asking, after a failure too', async () => {
    const seen: string[] = []
    const work = (name: string, fails = false) =>
      runSerially(queues, 'cart', async (waited) => {
        seen.push(`${name} begins${waited ? ' after another' : ''}`)
        await Promise.resolve()
        seen.push(`${name} ends`)
        if (fails) throw new Error('refused')
      })
    const [one, two, three] = await Promise.allSettled([work('one'), work('two', true), work('three')])
    expect([one?.status, two?.status, three?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(seen).toEqual([
      'one begins',
      'one ends',
      'two begins after another',
      'two ends',
      'three begins after another',
      'three ends',
    ])
    await runSerially(queues, 'cart', async (waited) => expect(waited).toBe(false))
  })

  it('does not wait for work on another thing, or on a thing of the same name in other queues', async () => {
    let release = () => {}
    const held = runSerially(queues, 'cart', () => new Promise<void>((resolve) => (release = resolve)))
    await expect(runSerially(queues, 'order', async (waited) => waited)).resolves.toBe(false)
    await expect(runSerially(new Map(), 'cart', async (waited) => waited)).resolves.toBe(false)
    release()
    await held
  })
})
