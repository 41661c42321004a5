import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allBits, countBits, hasBit, noBits } from './bit-set.ts'
import { editDistance } from './edit-distance.ts'
import { findByWords } from './find-by-words.ts'
import { spellingOf } from './nearest-word.ts'
import { bareNumber, foldText, searchWords } from './search-words.ts'
import { withoutStopWords } from './stop-words.ts'
import { wordIndexDraft } from './word-index.ts'

describe('search words', () => {
  it.each([
    ['Café CRÈME', ['cafe', 'creme']],
    ['Größe, Øl & Łódź', ['grosse', 'ol', 'lodz']],
    ['smørrebrød', ['smorrebrod']],
    ["Women's women’s", ['womens', 'womens']],
    ['<p>Hand&nbsp;blown<br>glass</p>', ['hand', 'blown', 'glass']],
    ['20×30 cm', ['20', '30', 'cm']],
    ['Carafe d’eau, l’assiette qu’on aime', ['carafe', 'eau', 'assiette', 'on', 'aime']],
    ["s'mores, rock'n'roll", ['smores', 'rocknroll']],
    ['陶器の皿', ['陶器', '器の', 'の皿']],
    ['  !?  ', []],
  ])('of %j are %j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  it('are the same with and without accents', () => {
    expect(foldText('café')).toBe(foldText('cafe\u0301'))
    expect(foldText('İstanbul')).toBe('istanbul')
  })

  it.each([
    ['ランプ', 'らんぷ'],
    ['ﾗﾝﾌﾟ', 'らんぷ'],
    ['شمعة', 'شمعه'],
    ['كرسى', 'كرسي'],
    ['إبريق', 'ابريق'],
    ['مـزهـرية', 'مزهرية'],
  ])('are the same of %s and %s, as people there type them', (one, other) => {
    expect(searchWords(one)).toEqual(searchWords(other))
    expect(searchWords(one)).not.toEqual([])
  })
})

describe('the distance between words', () => {
  it.each([
    ['hodie', 'hoodie', 1],
    ['ceramc', 'ceramic', 1],
    ['mug', 'mug', 0],
    ['form', 'from', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('of %s and %s is %i', (from, to, distance) => {
    expect(editDistance(from, to, 9)).toBe(distance)
    expect(editDistance(to, from, 9)).toBe(distance)
    if (distance > 0) expect(editDistance(from, to, distance - 1)).toBe(distance)
  })
})

const names = [
  'Hoodie',
  'Ceramic Mug',
  'Mug',
  'Ceramic bowl for a mug',
  'Café au lait bowl',
  'Mugwort tea',
  'Linen shirt',
]
const texts = ['Warm', 'Holds tea', 'Holds tea', 'Blue', 'Like a mug', 'Dried', 'With a hood']

function anIndex() {
  const draft = wordIndexDraft(names.length)
  for (const [nr, name] of names.entries())
    draft.add(nr, { name: searchWords(name), short: [], text: searchWords(texts[nr] ?? '') })
  return draft.finish()
}
const index = anIndex()
const spelling = spellingOf(index)
const find = (term: string, searchable = allBits(names.length)) => {
  const { ranked, corrected } = findByWords(index, () => spelling, searchWords(term), searchable)
  return { names: [...ranked].map((nr) => names[nr]), corrected }
}

describe('a search by words', () => {
  it('LIST-06 puts a name of just these words first, then names, then beginnings, then texts', () => {
    expect(find('mug').names).toEqual([
      'Mug',
      'Ceramic Mug',
      'Ceramic bowl for a mug',
      'Mugwort tea',
      'Café au lait bowl',
    ])
  })

  it('wants every word, the last one also as a beginning', () => {
    expect(find('ceramic mu').names).toEqual(['Ceramic Mug', 'Ceramic bowl for a mug'])
    expect(find('ceram mug').names).toEqual(['Ceramic Mug', 'Ceramic bowl for a mug'])
    expect(find('mug shirt').names).toEqual([])
  })

  it('takes accents off on both sides', () => {
    for (const term of ['café', 'CAFE', 'cafe']) expect(find(term).names).toEqual(['Café au lait bowl'])
  })

  it('LIST-06 seeks the nearest spelling of a word that is nowhere, and says so', () => {
    expect(find('hodie')).toEqual({ names: ['Hoodie'], corrected: ['hoodie'] })
    expect(find('ceramc mug')).toEqual({
      names: ['Ceramic Mug', 'Ceramic bowl for a mug'],
      corrected: ['ceramic', 'mug'],
    })
    expect(find('lineen shrit')).toEqual({ names: ['Linen shirt'], corrected: ['linen', 'shirt'] })
    expect(find('mug').corrected).toBeNull()
    // Short words have too many neighbours for a correction.
    expect(find('mog')).toEqual({ names: [], corrected: null })
    expect(find('xyzzyq')).toEqual({ names: [], corrected: null })
  })

  it('finds nothing that may not be found', () => {
    expect(find('mug', noBits(names.length)).names).toEqual([])
  })

  it('finds for any words what looking through all texts finds', () => {
    const word = fc.stringMatching(/^[abc]{1,3}$/)
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.array(word), text: fc.array(word) }), { maxLength: 60 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (products, wanted) => {
          const draft = wordIndexDraft(products.length)
          for (const [nr, product] of products.entries()) draft.add(nr, { ...product, short: [] })
          const made = draft.finish()
          const { ranked, found } = findByWords(made, () => spellingOf(made), wanted, allBits(products.length))
          const unique = [...new Set(wanted)]
          const known = new Set(products.flatMap(({ name, text }) => [...name, ...text]))
          const fits = products.flatMap(({ name, text }, nr) => {
            const words = [...name, ...text]
            const fit = unique.every((wish) =>
              wish === unique.at(-1) || !known.has(wish)
                ? words.some((it) => it.startsWith(wish))
                : words.includes(wish),
            )
            return fit ? [nr] : []
          })
          expect([...ranked].sort((a, b) => a - b)).toEqual(fits)
          expect(countBits(found)).toBe(fits.length)
          for (const nr of fits) expect(hasBit(found, nr)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('ranks what common words find as it ranks what rare ones do', () => {
    const word = fc.stringMatching(/^[ab]{1,2}$/)
    const words = fc.array(word, { maxLength: 3 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: words, short: words, text: words }), { minLength: 1, maxLength: 30 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (products, wanted) => {
          const ranked = (others: number) => {
            const size = products.length + others
            const draft = wordIndexDraft(size)
            for (const [nr, product] of products.entries()) draft.add(nr, product)
            for (let nr = products.length; nr < size; nr += 1) draft.add(nr, { name: [], short: [], text: [] })
            const made = draft.finish()
            return { made, hits: [...findByWords(made, () => spellingOf(made), wanted, allBits(size)).ranked] }
          }
          // With four times as many products without words no word is common.
          const [common, rare] = [ranked(0), ranked(products.length * 4)]
          expect(rare.made.weights.size).toBe(0)
          expect(common.hits).toEqual(rare.hits)
          const most = Math.max(0, ...common.made.counts)
          expect(common.made.weights.size > 0).toBe(most > products.length / 4)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Searches products that have only names, by the rules of languages. */
function findAmong(shown: readonly string[], languages: readonly string[]) {
  const draft = wordIndexDraft(shown.length, (name) => withoutStopWords(name, languages))
  for (const [nr, name] of shown.entries()) draft.add(nr, { name: searchWords(name), short: [], text: [] })
  const made = draft.finish()
  const nearest = spellingOf(made)
  return (term: string) => {
    const { ranked, corrected } = findByWords(made, () => nearest, searchWords(term), allBits(shown.length), languages)
    return { names: [...ranked].map((nr) => shown[nr]), corrected }
  }
}

describe('LIST-06 a search by the rules of a language', () => {
  const english = findAmong(
    [
      'Shoreline plate',
      'Places to go',
      'Two dinner plates',
      'Teapot',
      'Tea pot',
      'Tea towel',
      'Cup for coffee',
      'Coffee cup',
    ],
    ['en-US'],
  )

  it('finds the same goods by singular and plural, those that are written so first', () => {
    expect(english('plate').names).toEqual(['Shoreline plate', 'Two dinner plates'])
    expect(english('plates')).toEqual({ names: ['Two dinner plates', 'Shoreline plate'], corrected: null })
    expect(findAmong(['Plate', 'Places'], ['en'])('plates')).toEqual({ names: ['Plate'], corrected: null })
  })

  it('prefers a form of the word to a neighbour when it is misspelled', () => {
    expect(findAmong(['Plate', 'Placets', 'Flattest'], ['en'])('plattes')).toEqual({
      names: ['Plate'],
      corrected: ['plate'],
    })
    expect(findAmong(['Plate', 'Places', 'Places'], ['en'])('platess').corrected).toEqual(['plate'])
    expect(english('cofee cups')).toEqual({ names: ['Cup for coffee', 'Coffee cup'], corrected: ['coffee', 'cups'] })
  })

  it('finds two words in one and one in two', () => {
    expect(english('teapot').names).toEqual(['Teapot', 'Tea pot'])
    expect(english('tea pots').names.toSorted()).toEqual(['Tea pot', 'Teapot'])
    expect(english('tea').names).toEqual(expect.arrayContaining(['Tea towel', 'Tea pot']))
    expect(findAmong(['Tea pot'], ['en'])('teapots')).toEqual({ names: ['Tea pot'], corrected: null })
  })

  it('does not take two words that stand apart in a text for one that there is', () => {
    const draft = wordIndexDraft(2)
    draft.add(0, { name: ['teapot'], short: [], text: [] })
    draft.add(1, { name: ['towel'], short: [], text: ['tea', 'pot', 'holder'] })
    const made = draft.finish()
    const { ranked } = findByWords(made, () => spellingOf(made), ['teapot'], allBits(2), ['en'])
    expect([...ranked]).toEqual([0])
  })

  it('is narrowed by no stop word, and counts none in a name of just these words', () => {
    expect(english('cups for coffee').names).toEqual(['Cup for coffee', 'Coffee cup'])
    expect(english('a cup of coffee').names).toEqual(['Cup for coffee', 'Coffee cup'])
    expect(english('for').names).toEqual(['Cup for coffee'])
  })

  it('says a guess with the stop words that were typed', () => {
    expect(english('cups for cofee').corrected).toEqual(['cups', 'for', 'coffee'])
  })

  const german = findAmong(
    [
      'Kaffeetassen, zwei Stück',
      'Tasse',
      'Teekanne',
      'Kanne für Tee',
      'Blumenvase',
      'Vase für eine Blume',
      'Pastell',
      'Gießkanne',
    ],
    ['de-DE'],
  )

  it.each([
    ['tasse', ['Tasse', 'Kaffeetassen, zwei Stück']],
    ['tassen', ['Tasse', 'Kaffeetassen, zwei Stück']],
    ['Kaffeetasse', ['Kaffeetassen, zwei Stück']],
    ['Kaffee Tasse', ['Kaffeetassen, zwei Stück']],
    ['kannen', ['Kanne für Tee', 'Teekanne', 'Gießkanne']],
    ['Teekannen', ['Teekanne', 'Kanne für Tee']],
    ['Blumenvasen', ['Blumenvase', 'Vase für eine Blume']],
    ['giesskanne', ['Gießkanne']],
    ['Teller', []],
  ])('takes German compounds apart and together: %s', (term, found) => {
    expect(german(term)).toEqual({ names: found, corrected: null })
  })

  it('finds a single character of a script without spaces wherever it stands', () => {
    const japanese = findAmong(['陶器の皿', '大皿', '花瓶'], ['ja'])
    expect(japanese('皿').names).toEqual(['陶器の皿', '大皿'])
    expect(japanese('花').names).toEqual(['花瓶'])
  })

  it('guesses no number: who types another one means another one', () => {
    expect(findAmong(['Lamp 40123'], ['en'])('40124')).toEqual({ names: [], corrected: null })
  })

  it('finds no fewer goods by one form than by another, whatever the catalogue', () => {
    const stems = ['plate', 'dish', 'berry', 'knife', 'vase', 'glass', 'cup']
    const plurals = ['plates', 'dishes', 'berries', 'knives', 'vases', 'glasses', 'cups']
    const some = fc.constantFrom(...stems, ...plurals, 'blue')
    fc.assert(
      fc.property(
        fc.array(fc.array(some, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
        fc.nat(stems.length - 1),
        (shown, at) => {
          const find = findAmong(
            shown.map((words) => words.join(' ')),
            ['en'],
          )
          const numbers = (term = '') => find(term).names.toSorted()
          expect(numbers(stems[at])).toEqual(numbers(plurals[at]))
        },
      ),
    )
  })
})

it.each([
  ['HRB-MUG-01', 'hrbmug01'],
  ['hrb mug/01', 'hrbmug01'],
  ['Größe_2', 'grosse2'],
  ['--', ''],
])('the number %s is %j without its marks', (written, bare) => {
  expect(bareNumber(written)).toBe(bare)
})
