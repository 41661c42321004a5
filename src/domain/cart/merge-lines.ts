/**
 * The lines of a saved cart and of the cart that a visitor filled before logging in, as one: saved lines first, and where
 * both have the same key the visitor's line stands in place of the saved one.
 */
export function mergeLines<Line extends { readonly key: string }>(
  saved: readonly Line[],
  guest: readonly Line[],
): readonly Line[] {
  const byKey = new Map([...saved, ...guest].map((line) => [line.key, line]))
  return [...byKey.values()]
}
