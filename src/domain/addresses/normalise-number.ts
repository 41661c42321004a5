import { plainCharacters } from '../translation/plain-characters.ts'

/**
 * Numbers as keyboards elsewhere give them, in the signs that they are kept and compared in: `０３－１２３４` as a Japanese
 * keyboard writes it, `٠١٠` and `۰۱۰` as Arabic and Persian ones do, and whatever kind of dash stands between digits; a
 * Japanese key for it writes the mark of a long vowel.
 */
export function plainSigns(text: string): string {
  return plainCharacters(text).replace(/[\p{Dash}ー]/gu, '-')
}
