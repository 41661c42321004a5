/**
 * Folds a name for comparisons: upper case without accents, spaces and punctuation, so that `hawkes bay` equals Hawke’s
 * Bay.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[ĐŁØ]/g, (letter) => ({ Đ: 'D', Ł: 'L', Ø: 'O' })[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
