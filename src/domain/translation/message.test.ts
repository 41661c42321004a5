import { describe, expect, it } from 'vitest'
import { fillIn, pluralForm } from './message.ts'

describe('the form of a count', () => {
  it.each(['en', 'ar', 'fr', 'ru', 'ja'])('is what CLDR says, asked for once or again: %s', (language) => {
    const rules = new Intl.PluralRules(language)
    const counts = [0, 1, 2, 3, 5, 11, 21, 101, 999, 1_000, 1_000_000, 1.5, 0.1, -1, Number.NaN]
    for (const count of [...counts, ...counts]) expect(pluralForm(language, count)).toBe(rules.select(count))
  })
})

describe('a text with places', () => {
  it('is filled in order or by number, and reads no place in what a value holds', () => {
    expect(fillIn('%s of %s', [1, '%s'])).toBe('1 of %s')
    expect(fillIn('%2$s before %1$s', ['a', 'b'])).toBe('b before a')
    expect(fillIn('100 %s', [])).toBe('100 %s')
  })
})
