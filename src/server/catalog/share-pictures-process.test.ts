import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { lowerPriority } from './share-pictures-process.ts'

it('a process that draws pictures waits for whatever else there is to do, and one that cannot be told so draws all the same', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const { pid } = child
  if (pid === undefined) throw new Error('the process does not start')
  lowerPriority(pid)
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(() => getPriority(pid)).toThrow()
  expect(() => lowerPriority(pid)).not.toThrow()
})
