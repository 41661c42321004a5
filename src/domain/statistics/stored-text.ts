/**
 * Returns untrusted text ready to store: one line of whole characters, without control characters of terminals and
 * databases.
 * @param longest in characters as JavaScript counts them; no character is cut in two
 */
export function storableText(text: string, longest: number): string {
  // Also the marks that turn the direction of what follows them.
  // Whatever comes after so much is cut off anyway.
  const plain = text
    .slice(0, longest * 4)
    .replace(/[\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim()
  return plain.length <= longest ? plain : plain.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}
