export const separators = [',', ';', '\t', '|'] as const
const sampledRecords = 20

/** Splits the first records of a text; a quotation mark opens a cell only at its start. */
function records(text: string, separator: string): string[][] {
  const found: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length && found.length < sampledRecords; at += 1) {
    const mark = text[at] ?? ''
    if (isQuoted) {
      const next = text[at + 1]
      if (mark !== '"') cell += mark
      else if (next === '"') {
        cell += '"'
        at += 1
      } else if (next === undefined || next === separator || next === '\n' || next === '\r') isQuoted = false
      else cell += mark
    } else if (mark === '"' && cell === '') isQuoted = true
    else if (mark === separator) {
      cells.push(cell)
      cell = ''
    } else if (mark === '\n') {
      found.push([...cells, cell.replace(/\r$/, '')])
      cells = []
      cell = ''
    } else cell += mark
  }
  if (found.length < sampledRecords && (cell !== '' || cells.length > 0)) found.push([...cells, cell])
  return found.filter((record) => record.some((value) => value.trim() !== ''))
}

/**
 * Guesses the separator of a file: the one that shows the most known titles in a row near its start, then the one that
 * splits the rows into the same number of cells.
 * @param text the start of the file
 * @param isTitle returns true for a known title
 */
export function guessSeparator(text: string, isTitle: (cell: string) => boolean): string {
  let best = { separator: ',' as string, score: 0 }
  for (const separator of separators) {
    const sample = records(text, separator)
    const width = Math.max(0, ...sample.map((cells) => cells.length))
    if (width < 2) continue
    const known = Math.max(...sample.slice(0, 10).map((cells) => cells.filter((cell) => isTitle(cell)).length))
    const even = sample.filter((cells) => cells.length === sample[0]?.length).length / sample.length
    const score = known * 100 + even * 10 + Math.min(width, 9)
    if (score > best.score) best = { separator, score }
  }
  return best.separator
}
