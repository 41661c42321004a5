import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '#tests/support/process/processor-time.ts'
import { keepOuterSpace, normalise } from './normalise.ts'

const nbsp = '\u00A0'

describe('the text by which an original is known', () => {
  it('is the same for what differs in blanks and in the form of letters alone', () => {
    expect(normalise(`  Add\n\t to${nbsp}cart\u200B`)).toBe('Add to cart')
    expect(normalise('cafe\u0301')).toBe(normalise('caf\u00E9'))
    expect(normalise('Gr&uuml;n &amp; blau', { markup: true })).toBe('Grün &amp; blau')
    expect(normalise('&lt;b&gt;', { markup: true })).not.toBe(normalise('<b>', { markup: true }))
    // In plain text an entity is literal.
    expect(normalise('Gr&uuml;n')).toBe('Gr&uuml;n')
  })

  it('is another for another case, accent or sign', () => {
    const different = ['cote', 'côte', 'coté', 'Cote', 'cote.', 'length', '__proto__', 'constructor', '$&', '$1']
    expect(new Set(different.map((text) => normalise(text))).size).toBe(different.length)
  })

  it('keeps marks of direction, which are part of what is said', () => {
    expect(normalise('\u200Fسلة\u200E')).toBe('\u200Fسلة\u200E')
  })

  it('is made once: what is normal stays as it is, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, markup) => {
        const once = normalise(text, { markup })
        expect(normalise(once)).toBe(once)
        expect(once.isWellFormed()).toBe(true)
      }),
    )
  })

  it('takes a moment for a text of nothing but blanks inside', () => {
    const ms = processorMs(() => expect(normalise(`a${' '.repeat(200_000)}b`)).toBe('a b'))
    expect(ms).toBeLessThan(1000)
  })
})

describe('a translation in the place of its original', () => {
  it('stands between the same blanks, with whatever it says', () => {
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\n', nbsp, '\u200B'), maxLength: 4 })
    const said = fc.oneof(fc.constantFrom('$&', '$1', '$$', '\\', '__proto__'), fc.string())
    fc.assert(
      fc.property(blanks, blanks, said, (before, after, text) => {
        expect(keepOuterSpace(`${before}Cart${after}`, text)).toBe(before + text + after)
      }),
    )
  })
})
