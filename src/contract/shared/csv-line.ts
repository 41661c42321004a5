/**
 * Formats a line of a CSV file, without its line break. A cell that a spreadsheet would run as a formula gets a leading
 * `'`, which `withoutGuard` removes.
 */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => quoted(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)).join(',')
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
