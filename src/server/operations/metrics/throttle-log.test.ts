import { expect, it } from 'vitest'
import { throttledLog } from './throttle-log.ts'

it('says the first at once, and what comes again once in a while with how often', () => {
  let now = 0
  const said: string[] = []
  const tell = throttledLog(
    30_000,
    () => now,
    (what: string, times) => said.push(`${what} ${times}`),
  )
  for (; now < 61_000; now += 100) tell('gone')
  expect(said).toEqual(['gone 1', 'gone 300', 'gone 300'])
})
