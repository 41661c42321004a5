/**
 * Normalizes characters of other keyboards: full-width Latin letters and digits, as from Japanese keyboards, to normal
 * width, Arabic and Persian digits to 0 to 9. Letters of other alphabets stay, and so does the long vowel mark.
 */
export function plainCharacters(text: string): string {
  // The last four bits of these digits are their value.
  return text.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}
