import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { samePlaces } from '#domain/translation/clean-translation.ts'
import { formsOf } from '#domain/translation/exchange.ts'
// @ts-expect-error: a script without types; what it gives is said below.
import { interfaceStrings } from '../../scripts/interface-strings.mjs'

type Found = ReadonlyMap<string, readonly string[]>
const { texts, counts }: { texts: Found; counts: Found } = interfaceStrings()
type Words = Record<string, string | Record<string, string>>
const folder = join(import.meta.dirname, '../../translations')
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

const wordsIn = (name: string): Words => JSON.parse(readFileSync(join(folder, name), 'utf8'))

describe.each(files)('the words of the interface in %s', (name) => {
  const words = wordsIn(name)
  const known = new Set(Object.keys(words))

  it('are all there, and none that the shop does not say', () => {
    const said = [...texts, ...counts]
    expect(said.filter(([original]) => !known.has(original))).toEqual([])
    expect([...known].filter((original) => !texts.has(original) && !counts.has(original))).toEqual([])
    expect(known.size).toBeGreaterThan(700)
  })

  it('fill in what the originals fill in, and say every count in each form of the language', () => {
    const wrong = Object.entries(words).filter(([original, translated]) => {
      if (typeof translated === 'string')
        return counts.has(original) || translated.trim() === '' || !samePlaces(original, translated)
      const forms = Object.entries(translated)
      const missing = formsOf(name.replace('.json', '')).filter((form) => !translated[form])
      // "one item" may say its number without it; a number of many may not.
      const rough = forms.filter(
        ([form, said]) => !samePlaces(original, said) && !(/zero|one|two/.test(form) && !said.includes('%')),
      )
      return !counts.has(original) || missing.length > 0 || rough.length > 0
    })
    expect(wrong).toEqual([])
  })
})

/** Signs that a language writes otherwise than English does, where English ones have slipped in. */
const foreignSigns: Readonly<Record<string, RegExp>> = {
  // An Arabic word before a Latin comma, semicolon or question mark.
  'ar.json': /\p{Script=Arabic}[,;?]/u,
  // A space at which a line may break before a sign of two parts or within quotation marks, or no space at all.
  'fr.json': /\S [?!:;»]|« |[\p{L}\d][?!;»]|«[^\u00a0]/u,
  // A half-width sign after a full-width letter.
  'ja.json': /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,.!?:;](?:\s|$)/u,
}

it.each(Object.entries(foreignSigns))(
  'the words in %s are written with the signs of their language',
  (name, foreign) => {
    const all = Object.values(wordsIn(name)).flatMap((said) =>
      typeof said === 'string' ? [said] : Object.values(said),
    )
    expect(all.filter((said) => foreign.test(said))).toEqual([])
  },
)
