/** Returns the known word nearest to the typed one, or null without a near one. */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null
  // One error in three letters is allowed; with more it is another word.
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const word of known) {
    const steps = word.startsWith(typed) && typed.length > 2 ? 1 : editSteps(typed.toLowerCase(), word.toLowerCase())
    if (steps < least) {
      best = word
      least = steps
    }
  }
  return best
}

/** Returns ` Did you mean "export"?`, or nothing. */
export function hint(typed: string, known: readonly string[], mark = ''): string {
  const word = nearest(typed, known)
  return word === null ? '' : ` Did you mean "${mark}${word}"?`
}

/** Returns the number of letters inserted, deleted, replaced or swapped with their neighbour. */
export function editSteps(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, row) => [row])
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let column = 1; column <= to.length; column += 1) rows[0]?.push(column)
  for (let row = 1; row <= from.length; row += 1) {
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + same,
          swapped && row > 1 && column > 1 ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
