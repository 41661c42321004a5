import { expect, it } from 'vitest'
import { figures } from './figures.ts'

it('a smaller figure has a minus sign, a larger one a plus sign', () => {
  const { change } = figures('en-US')
  expect([change(-0.05), change(0.12), change(0)]).toEqual(['\u22125%', '+12%', '0%'])
})
