import { describe, expect, it } from 'vitest'
import { lineName } from './line-name.ts'

const values = (...given: string[]) => given.map((value) => ({ value }))

describe('the name of a line', () => {
  it('is the product’s where nothing is to be chosen', () => {
    expect(lineName({ name: 'Harbor Mug', choices: [] })).toBe('Harbor Mug')
  })

  it('tells two variations of one product apart', () => {
    expect(lineName({ name: 'Harbor Mug', choices: values('Oat') })).toBe('Harbor Mug – Oat')
    expect(lineName({ name: 'Harbor Mug', choices: values('Slate', 'Large') })).toBe('Harbor Mug – Slate, Large')
  })

  it('keeps the choices where the provider has too little room for all of it', () => {
    const name = 'A very long name of a mug '.repeat(10)
    const [one, other] = ['Oat', 'Slate'].map((value) => lineName({ name, choices: values(value) }, 127))
    expect(one).toMatch(/^A very long.*… – Oat$/)
    expect(other).toMatch(/… – Slate$/)
    for (const text of [one, other]) expect([...(text ?? '')].length).toBeLessThanOrEqual(127)
  })

  it('never exceeds the limit, and never cuts a character in two', () => {
    for (const text of [
      lineName({ name: '🏺'.repeat(200), choices: [] }, 127),
      lineName({ name: '🏺'.repeat(200), choices: values('🎨'.repeat(40)) }, 127),
      lineName({ name: 'Mug', choices: values('🎨'.repeat(200)) }, 127),
    ]) {
      expect([...text]).toHaveLength(127)
      expect(text.isWellFormed()).toBe(true)
    }
  })
})
