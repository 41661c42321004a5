import { expect, it, vi } from 'vitest'

/** Replaces the slow hash: it counts concurrent calls, and finishes when all waiting ones had a turn. */
const load = vi.hoisted(() => ({ running: 0, most: 0 }))
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  argon2: (_: string, { tagLength }: { tagLength: number }, done: (error: null, tag: Buffer) => void) => {
    load.running += 1
    load.most = Math.max(load.most, load.running)
    setTimeout(() => {
      load.running -= 1
      done(null, Buffer.alloc(tagLength))
    }, 1)
  },
}))

const { isPassword } = await import('./password.ts')

it('T32 no more than four passwords are hashed at the same time, however many come, and all are answered', async () => {
  const tools = { settings: { accounts: { argon2: { memoryKiB: 7168, passes: 1, parallelism: 1 } } } } as never
  const answers = await Promise.all(Array.from({ length: 50 }, () => isPassword(tools, 'x', null)))
  expect(answers).toEqual(Array.from({ length: 50 }, () => false))
  expect(load.most).toBeGreaterThan(0)
  expect(load.most).toBeLessThanOrEqual(4)
  expect(load.running).toBe(0)
})
