/**
 * Merges the lines of a saved cart with those from before the login: saved lines first, and for equal keys the
 * visitor's line replaces the saved one.
 */
export function mergeLines<Line extends { readonly key: string }>(
  saved: readonly Line[],
  guest: readonly Line[],
): readonly Line[] {
  const byKey = new Map([...saved, ...guest].map((line) => [line.key, line]))
  return [...byKey.values()]
}
