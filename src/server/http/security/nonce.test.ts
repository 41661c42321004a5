import { expect, it } from 'vitest'
import { isNonce, nonceFor } from './nonce.ts'

const tickMs = 12 * 60 * 60 * 1000
const at = (tick: number) => new Date(tick * tickMs)

it('what pages of everybody carry is another one for each action, secret and half day, whatever was asked for before', () => {
  const asked = [
    ['a secret', 'one', 40],
    ['a secret', 'one', 41],
    ['a secret', 'other', 41],
    ['another secret', 'other', 41],
    ['another secret', 'one', 40],
  ] as const
  const made = asked.map(([secret, action, tick]) => nonceFor(secret, action, '', at(tick)))
  expect(new Set(made).size).toBe(asked.length)
  expect(asked.toReversed().map(([secret, action, tick]) => nonceFor(secret, action, '', at(tick)))).toEqual(
    made.toReversed(),
  )
  for (const [place, [secret, action, tick]] of asked.entries()) {
    const holds = (ticks: number) => isNonce(secret, made[place], action, '', at(tick + ticks))
    expect([holds(0), holds(1), holds(2)]).toEqual([true, true, false])
  }
})
