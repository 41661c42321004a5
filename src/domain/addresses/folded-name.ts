/** A name as it is compared: in capitals, without accents, spaces and punctuation, so that `hawkes bay` is Hawke’s Bay. */
export function foldedName(name: string): string {
  return name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[ĐŁØ]/g, (letter) => ({ Đ: 'D', Ł: 'L', Ø: 'O' })[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
