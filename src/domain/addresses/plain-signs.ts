/**
 * Numbers as keyboards elsewhere give them, in the signs that they are kept and compared in: `０３－１２３４` as a Japanese
 * keyboard writes it, `٠١٠` and `۰۱۰` as Arabic and Persian ones do, and whatever kind of dash stands between digits; a
 * Japanese key for it writes the mark of a long vowel.
 */
export function plainSigns(text: string): string {
  // The last four bits of these digits are what they count. Full width becomes half width by the normal form.
  return text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\p{Dash}ー]/gu, '-')
}
