/** Letters that no decomposition of Unicode makes plain. */
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/** Returns the key of a column title or of a word in a cell: without case, accents, punctuation and double spaces. */
export function titleKey(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßłøđæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}%#]+/gu, ' ')
    .trim()
}
