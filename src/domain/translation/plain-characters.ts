/**
 * Text in the characters that others' keyboards give as well: Latin letters and digits of full width, as Japanese ones write
 * them, in half width, Arabic and Persian digits as 0 to 9. Letters of other alphabets stay, and so does the mark of a long vowel.
 */
export function plainCharacters(text: string): string {
  // The last four bits of these digits are what they count.
  return text.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}
