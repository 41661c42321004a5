import { latinLetters } from './latin-letters.ts'
import { baseLanguage } from './word-forms.ts'

const danish: Readonly<Record<string, string>> = { ø: 'oe', å: 'aa' }
/** ASCII spellings by language, for its own letters and those of its neighbours. */
const byLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe' },
  da: danish,
  nb: danish,
  nn: danish,
  no: danish,
}

/**
 * Returns the slug of a name: lower case, Latin letters spelled in ASCII, dashes between words. Letters of other
 * scripts stay, as browsers show them. '' when nothing is left.
 * @param language the language of the name, as a tag: German `ü` is `ue`
 */
export function nameSlug(name: string, language: string): string {
  const own = byLanguage[baseLanguage(language)] ?? {}
  return (
    // The lower case of İ is an i with a combining dot.
    [...name.normalize('NFC').toLowerCase()]
      .map((letter) => own[letter] ?? latinLetters[letter] ?? letter)
      .join('')
      .normalize('NFKD')
      // Marks of other scripts make other letters: が is not か, and й is not и.
      .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
      .normalize('NFC')
      .replace(/['’ʼ]/g, '')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, longestSlug)
      .replace(/-+$/, '')
  )
}

const longestSlug = 150
