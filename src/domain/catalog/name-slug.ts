import { latinLetters } from './latin-letters.ts'
import { baseLanguage } from './word-forms.ts'

const danish: Readonly<Record<string, string>> = { ø: 'oe', å: 'aa' }
/** How a language writes its letters, and those of its neighbours, where there are none but those of ASCII. */
const byLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe' },
  da: danish,
  nb: danish,
  nn: danish,
  no: danish,
}

/**
 * The part of an address that a name becomes: lower case, Latin letters written out in ASCII, dashes between words. Letters of
 * other scripts stay as they are, as browsers show them. '' when nothing is left.
 * @param language the language of the name, as a tag: German `ü` is `ue`
 */
export function nameSlug(name: string, language: string): string {
  const own = byLanguage[baseLanguage(language)] ?? {}
  return (
    // The small İ is an i with a point.
    [...name.normalize('NFC').toLowerCase()]
      .map((letter) => own[letter] ?? latinLetters[letter] ?? letter)
      .join('')
      .normalize('NFKD')
      // Marks of other scripts make other letters: が is no か, and й no и.
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
