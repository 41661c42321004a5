/** Latin letters that have no mark that could be taken off, and how they are written without them. Small letters alone. */
export const latinLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŧ: 't',
  ŋ: 'n',
  ə: 'e',
}
