import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { samePlaces } from '#domain/translation/clean-translation.ts'
import { formsOf } from '#domain/translation/exchange.ts'
// @ts-expect-error: a script without types; what it gives is said below.
import { interfaceStrings } from '../scripts/interface-strings.mjs'

type Found = ReadonlyMap<string, readonly string[]>
const { texts, counts }: { texts: Found; counts: Found } = interfaceStrings()
const folder = join(import.meta.dirname, '../translations')
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe.each(files)('the words of the interface in %s', (name) => {
  const words: Record<string, string | Record<string, string>> = JSON.parse(readFileSync(join(folder, name), 'utf8'))
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
