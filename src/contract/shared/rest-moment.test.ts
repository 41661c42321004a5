import { expect, it } from 'vitest'
import { momentIn } from './rest-moment.ts'

it.each([
  ['2026-05-10T12:00:00', 'start', '2026-05-10T16:00:00.000Z'],
  ['2026-05-10 12:00', 'start', '2026-05-10T16:00:00.000Z'],
  ['2026-05-10T12:00:00Z', 'start', '2026-05-10T12:00:00.000Z'],
  ['2026-05-10T12:00:00.250+02:00', 'start', '2026-05-10T10:00:00.250Z'],
  ['2026-05-10T12:00:00.5', 'start', '2026-05-10T16:00:00.000Z'],
  ['2026-05-10', 'start', '2026-05-10T04:00:00.000Z'],
  ['2026-05-10', 'end', '2026-05-11T03:59:59.999Z'],
  ['2026-05-10Z', 'start', '2026-05-10T00:00:00.000Z'],
] as const)('reads %s (%s) in the shop of New York', (text, edge, instant) => {
  expect(momentIn(text, 'America/New_York', edge).toISOString()).toBe(instant)
})
