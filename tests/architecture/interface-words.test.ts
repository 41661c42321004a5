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
/** British English: only the words in which it differs from the American English of the code. */
const british = 'en-GB.json'
const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== british)

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

describe('the words of the interface in British English', () => {
  const words = wordsIn(british)

  it('are those that differ, and every count, since the singular stands in no other file', () => {
    const wrong = Object.entries(words).filter(([original, translated]) =>
      typeof translated === 'string' ? !texts.has(original) || translated === original : !counts.has(original),
    )
    expect(wrong).toEqual([])
    expect([...counts.keys()].filter((original) => typeof words[original] !== 'object')).toEqual([])
  })

  it('fill in what the originals fill in', () => {
    const wrong = Object.entries(words).filter(([original, translated]) =>
      typeof translated === 'string'
        ? !samePlaces(original, translated)
        : !samePlaces(original, translated.other ?? ''),
    )
    expect(wrong).toEqual([])
  })

  it('spell as the British do', () => {
    const all = Object.values(words).flatMap((said) => (typeof said === 'string' ? [said] : Object.values(said)))
    expect(all.filter((said) => americanWords.test(said))).toEqual([])
  })
})

const americanWords =
  /\b(?:\w*colors?|gray|favorites?|center|catalog|canceled|canceling|\w+ized?|\w+izing|fulfill|installment|apartment|ZIP code|checks? (?:payment|has|once)|Send us a check)\b/i
const britishWords =
  /\b(?:\w*colours?|grey|favourites?|centre|catalogue|cancelled|cancelling|cheques?|\w*(?:recogni|authori|organi|personali|customi)s(?:e[ds]?|ing|ation)|fulfil|instalment|flat|postcode|tick(?:ed)?|whilst|parcel)\b/i
/** Words of the wire contract, which names the fields of an address so in every form of English. */
const contractWords = [
  'Postcode',
  'Postcode / ZIP',
  'ZIP Code',
  '%s is not a valid postcode / ZIP.',
  'Please enter a valid postcode / ZIP.',
  'Enter your postcode or ZIP code',
  'Enter a valid postcode or ZIP code',
  'Enter your ZIP code',
  'Enter a valid ZIP code',
  'Enter your postcode',
  'Enter a valid postcode',
]

describe('the texts of the code', () => {
  const all = [...texts.keys(), ...counts.keys()]

  it('are American English, and British English has its own words for those that differ', () => {
    const wrong = all.filter((said) => britishWords.test(said) && !contractWords.includes(said))
    expect(wrong).toEqual([])
    const words = wordsIn(british)
    expect(all.filter((said) => americanWords.test(said) && !contractWords.includes(said) && !words[said])).toEqual([])
  })

  it.each([
    ['out of stock', /\bsold[ -]out\b/i],
    ['email', /\be-mail\b/i],
    ['username', /\buser name\b/i],
    ['payment method', /\bways? (?:to pay|of paying)\b/i],
    ['no longer', /\bany ?more\b/i],
    ['someone', /\b(?:somebody|whoever)\b/i],
    ['attempts', /\btries\b/i],
    ['image', /\bpictures?\b/i],
    ['contact us, we will email you', /\bwrite to\b/i],
    ['review', /\blook over\b/i],
    ['log in', /\bsign in\b/i],
    ['an ellipsis without a space', /\s…|\.\.\./],
    ['typographic quotation marks and apostrophes', /\w'\w|"/],
  ])('say %s, and no other word for it', (_, other) => {
    expect(all.filter((said) => other.test(said))).toEqual([])
  })

  it('say what to do under a field, without a full stop', () => {
    const atFields = [...texts].filter(
      ([said, files]) => files.some((file) => file.endsWith('field-errors.ts')) && said,
    )
    expect(atFields.length).toBeGreaterThan(40)
    expect(
      atFields.map(([said]) => said).filter((said) => !/^(?:Enter|Select|Fill in|Check) .*[^.]$/.test(said)),
    ).toEqual([])
  })

  it('are written in sentence case', () => {
    const names =
      /^(?:PayPal|IBAN|BIC|SKU|N\/A|ZIP Code|PIN Code|Postal Code|Country \/ Region|Town \/|State \/|Postcode \/|Municipality \/|Point of Sale)/
    expect(all.filter((said) => /^[A-Z][a-z]+(?: [A-Z][a-z]+)+$/.test(said) && !names.test(said))).toEqual([])
  })

  it('end alike: notices that begin with “Please” or “Sorry” with a full stop', () => {
    const notices = all.filter((said) => /^(?:Please|Sorry)\b/.test(said) && !contractFragments.has(said))
    expect(notices.filter((said) => !/[.@]$|%s$/.test(said))).toEqual([])
  })
})

/** Words of the searchable select, which the contract gives without a full stop, and a heading. */
const contractFragments = new Set([
  'Please enter 1 or more characters',
  'Please enter %qty% or more characters',
  'Please delete 1 character',
  'Please delete %qty% characters',
  'Please log in',
])

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
