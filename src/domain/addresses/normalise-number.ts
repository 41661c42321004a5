import { plainCharacters } from '../translation/plain-characters.ts'

/**
 * Normalizes digits and dashes of foreign keyboards for storage and comparisons: full-width `０３－１２３４`, Arabic and
 * Persian `٠١٠` and `۰۱۰`, and all dashes between digits; Japanese keyboards write the long vowel mark for a dash.
 */
export function plainSigns(text: string): string {
  return plainCharacters(text).replace(/[\p{Dash}ー]/gu, '-')
}
