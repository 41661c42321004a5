import { expect, it, vi } from 'vitest'
import { createCartQueue } from './serial-queue.ts'

it('ADD-08 one that fails does not stop the next, and nothing overlaps', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const enqueue = createCartQueue()
  const steps: string[] = []
  const task =
    (name: string, fails = false) =>
    async () => {
      steps.push(`${name} starts`)
      await Promise.resolve()
      if (fails) throw new Error(name)
      steps.push(`${name} ends`)
    }
  await Promise.all([enqueue(task('a', true)), enqueue(task('b'))])
  expect(steps).toEqual(['a starts', 'b starts', 'b ends'])
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
})
