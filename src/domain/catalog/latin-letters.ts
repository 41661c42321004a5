/** Latin letters without a removable accent, and their plain spelling. Lower case only. */
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
