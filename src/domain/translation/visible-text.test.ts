import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleText, withoutInvisible } from './visible-text.ts'

describe('invisible characters', () => {
  it.each([
    ['two zero-width spaces', '\u200B\u200B'],
    ['a direction mark', '\u200E'],
    ['a word joiner', '\u2060'],
    ['a joiner alone', '\u200D'],
    ['joiners and selectors', '\u200C\uFE0F\u200D\u{E0100}'],
    ['a soft hyphen', '\u00AD'],
    ['a filler of Hangul', '\u3164\u115F\uFFA0'],
    ['a blank of Braille', '\u2800'],
    ['a byte order mark between blanks', ' \uFEFF\u00A0'],
    ['tags', '\u{E0041}\u{E007F}'],
  ])('are nothing by themselves: %s', (_, text) => expect(visibleText(text)).toBe(''))

  it.each([
    ['Ann\u200B Lee', 'Ann Lee'],
    ['\u202EAnn\u202C', 'Ann'],
    ['Ann\u200D', 'Ann'],
    ['\u200CAnn', 'Ann'],
    ['Ann \u200C Lee', 'Ann  Lee'],
    ['A\uFE0F\uFE0E\uFE01nn', 'A\uFE0Fnn'],
  ])('are stripped of %j', (text, stripped) => expect(visibleText(text)).toBe(stripped))

  it.each([
    ['a Persian name', 'علی\u200Cرضا'],
    ['a Hindi conjunct', 'क्\u200Dष'],
    ['a Malayalam final', 'രാജന്\u200D'],
    ['a family', '👨\u200D👩\u200D👧'],
    ['a heart on fire', '❤\uFE0F\u200D🔥'],
    ['a wave of a tone', '👋🏽\u200D🦰'],
    ['a form of a Japanese name', '葛\u{E0100}城'],
    ['a Mongolian suffix', 'ᠠᠮ\u180Eᠠ'],
    ['an Arabic number sign', '\u0600١٢'],
  ])('stay where they carry meaning: %s', (_, text) => expect(visibleText(text)).toBe(text))

  it('counts a joiner that was typed twice once', () => {
    expect(visibleText('علی\u200C\u200Cرضا')).toBe('علی\u200Cرضا')
  })

  it('changes nothing when it is done again, and nothing of what is seen', () => {
    const unit = fc.constantFrom('a', ' ', 'ی', '्', '👩', '\u200B', '\u200C', '\u200D', '\uFE0F', '\u180E', '\u2060')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const once = visibleText(text)
        expect(visibleText(once)).toBe(once)
        expect(withoutInvisible(once)).toBe(withoutInvisible(text).trim())
      }),
    )
  })
})
