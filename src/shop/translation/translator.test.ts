import { describe, expect, it } from 'vitest'
import { wordsIn } from './translator.ts'

describe('a count in a text', () => {
  const counted = (language: string, count: number) => wordsIn(language).n(count, '%s text', '%s texts')

  it('has its thousands parted as the reader’s language parts them, in the figures of prices', () => {
    expect(counted('en-US', 1729)).toBe('1,729 texts')
    expect(counted('de-DE', 1729)).toBe('1.729 texts')
    expect(counted('fr-FR', 1_234_567)).toBe('1\u202f234\u202f567 texts')
    // Spanish groups digits from five figures on.
    expect([counted('es-ES', 1729), counted('es-ES', 17_290)]).toEqual(['1729 texts', '17.290 texts'])
    expect(counted('ar-EG', 1729)).toMatch(/^1\D729 texts$/)
  })

  it('stays as it is below', () => {
    expect([counted('de-DE', 0), counted('de-DE', 1), counted('de-DE', 999)]).toEqual([
      '0 texts',
      '1 text',
      '999 texts',
    ])
  })
})
