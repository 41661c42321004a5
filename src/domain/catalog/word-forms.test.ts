import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchWords } from './search-words.ts'
import { isStopWord, withoutParticles, withoutStopWords } from './stop-words.ts'
import { singularsOf, wordForms } from './word-forms.ts'

const word = (text: string) => searchWords(text).join('')

describe('forms of a word', () => {
  it.each([
    ['en', 'plate', 'plates'],
    ['en', 'vase', 'vases'],
    ['en', 'glass', 'glasses'],
    ['en', 'dish', 'dishes'],
    ['en', 'box', 'boxes'],
    ['en', 'bench', 'benches'],
    ['en', 'berry', 'berries'],
    ['en', 'cookie', 'cookies'],
    ['en', 'knife', 'knives'],
    ['en', 'shelf', 'shelves'],
    ['en', 'glove', 'gloves'],
    ['en', 'potato', 'potatoes'],
    ['en', 'child', 'children'],
    ['en', 'woman', 'women’s'],
    ['en', 'cactus', 'cacti'],
    ['de', 'Teller', 'Tellern'],
    ['de', 'Tasse', 'Tassen'],
    ['de', 'Glas', 'Gläser'],
    ['de', 'Glas', 'Gläsern'],
    ['de', 'Korb', 'Körbe'],
    ['de', 'Tuch', 'Tücher'],
    ['de', 'Gefäß', 'Gefäße'],
    ['de', 'Uhr', 'Uhren'],
    ['de', 'Sofa', 'Sofas'],
    ['de', 'Album', 'Alben'],
    ['de', 'Schüssel', 'Schuesseln'],
    ['es', 'plato', 'platos'],
    ['es', 'jarrón', 'jarrones'],
    ['es', 'luz', 'luces'],
    ['es', 'mantel', 'manteles'],
    ['fr', 'assiette', 'assiettes'],
    ['fr', 'plateau', 'plateaux'],
    ['fr', 'bocal', 'bocaux'],
    ['fr', 'vitrail', 'vitraux'],
    ['fr', 'œil', 'yeux'],
    ['ar', 'مزهرية', 'مزهريات'],
    ['ar', 'كوب', 'أكواب'],
    ['ar', 'كوب', 'الأكواب'],
    ['ar', 'مصباح', 'والمصابيح'],
    ['ar', 'طبق', 'طبقين'],
  ])('in %s %s and %s are of one word', (language, singular, plural) => {
    expect([...wordForms(word(plural), [language])]).toContain(word(singular))
    if (!/^(?:وال|ال)|ue/.test(plural)) expect([...wordForms(word(singular), [language])]).toContain(word(plural))
  })

  it.each([
    ['en', 'new', 'news'],
    ['en', 'good', 'goods'],
    ['en', 'lens', 'len'],
    ['en', 'brass', 'bras'],
    ['en', 'plates', 'places'],
    ['en', 'gas', 'ga'],
    ['en', 'pin', 'pines'],
    ['de', 'Schal', 'Schale'],
    ['de', 'Leine', 'Leinen'],
    ['de', 'Platte', 'Platz'],
    ['es', 'plato', 'plata'],
    ['fr', 'plat', 'plate'],
    ['ar', 'الف', 'ف'],
  ])('in %s %s and %s are of two words', (language, one, other) => {
    expect([...wordForms(word(one), [language])]).not.toContain(word(other))
    expect([...wordForms(word(other), [language])]).not.toContain(word(one))
  })

  it('go by the first part of a language tag, and by all languages that are given', () => {
    expect([...wordForms('plates', ['en-GB'])]).toContain('plate')
    expect([...wordForms('tassen', ['de-AT', 'en-US'])]).toEqual(expect.arrayContaining(['tasse', 'tassens']))
  })

  it('are unknown of a language without rules: nothing is guessed', () => {
    expect([...wordForms('plates', ['xx'])]).toEqual([])
    expect([...wordForms('plates', [])]).toEqual([])
    expect(singularsOf('plates', ['ja'])).toEqual([])
  })

  it('never hold the word itself, and are few, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-zاكوبهت]{1,40}$/),
        fc.constantFrom('en', 'de', 'es', 'fr', 'ar'),
        (typed, language) => {
          const forms = wordForms(typed, [language])
          expect(forms.has(typed)).toBe(false)
          expect(forms.size).toBeLessThan(200)
        },
      ),
    )
  })
})

describe('stop words', () => {
  it.each([
    ['en', 'cups for coffee', ['cups', 'coffee']],
    ['de', 'Tassen für den Kaffee', ['tassen', 'kaffee']],
    ['es', 'tazas para el café', ['tazas', 'cafe']],
    ['fr', 'tasses à café', ['tasses', 'cafe']],
    ['fr', 'verre à l’eau', ['verre', 'eau']],
    ['ar', 'أكواب من الخزف', ['اكواب', 'الخزف']],
    ['en', 'the one', ['one']],
    ['en', 'for the', ['for', 'the']],
  ])('in %s %j asks for %j', (language, text, words) => {
    expect(withoutStopWords(searchWords(text), [language])).toEqual(words)
  })

  it('are none of those that turn the meaning around', () => {
    expect(isStopWord('without', ['en'])).toBe(false)
    expect(isStopWord('ohne', ['de'])).toBe(false)
    expect(isStopWord('sans', ['fr'])).toBe(false)
    expect(isStopWord('sin', ['es'])).toBe(false)
  })

  it.each([
    ['コーヒーのカップ', 'コーヒー カップ'],
    ['コーヒー用のカップ', 'コーヒー カップ'],
    ['陶器の皿', '陶器 皿'],
    ['きのこ', 'きのこ'],
  ])('in Japanese are particles between words: %s', (typed, sought) => {
    expect(withoutParticles(typed)).toBe(sought)
  })
})
