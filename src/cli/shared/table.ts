/**
 * Lines of a table for a terminal: columns as wide as their widest cell, two spaces between them, no spaces at line ends.
 * @param right columns, from 0, that are aligned to the right, as figures are
 */
export function tableLines(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const cells = rows.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Removes control and direction characters: text from a form must not control the merchant's terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
