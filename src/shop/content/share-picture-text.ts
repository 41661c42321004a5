import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fontMetrics } from './font-metrics.ts'

/**
 * The font of the headings, Petrona at its usual weight with all letters that its three web files hold. Those are WOFF2,
 * which the drawing library does not read. With a font of our own a picture looks the same on every machine.
 */
const file = join(import.meta.dirname, 'data/petrona-regular.ttf')
const family = 'Petrona'

export type Letters = {
  /** Returns true if every character has a glyph. */
  knows(text: string): boolean
  widthOf(text: string, size: number): number
  /** SVG of a line with its baseline's left end at `x`, `y`. */
  line(text: string, size: number, x: number, y: number): string
}

export async function openFonts(): Promise<Letters> {
  const { has, advance } = fontMetrics(await readFile(file))
  const { default: sharp } = await import('sharp')
  // Only drawn text can name a file; after that its family is known to drawings of this process too.
  await sharp({ text: { text: family, font: family, fontfile: file } })
    .raw()
    .toBuffer()
  return {
    knows: (text) => [...text].every((character) => /\s/.test(character) || has(character)),
    widthOf: (text, size) => size * [...text].reduce((width, character) => width + advance(character), 0),
    line: (text, size, x, y) =>
      `<text x="${x}" y="${y}" font-family="${family}" font-size="${size}">${escaped(text)}</text>`,
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export type SetText = { readonly size: number; readonly lines: readonly string[] }

type Room = { width: number; sizes: readonly number[]; mostLines: number }

/**
 * Breaks a text into lines at the largest size that needs at most the allowed number of lines, as evenly as possible. A
 * text too long for the smallest size ends with an ellipsis.
 */
export function setText(
  { widthOf }: Pick<Letters, 'widthOf'>,
  text: string,
  { width, sizes, mostLines }: Room,
): SetText {
  const words = text.trim().split(/\s+/)
  for (const size of sizes) {
    const lines = breakLines(words, width, (part) => widthOf(part, size))
    if (lines && lines.length <= mostLines)
      return { size, lines: balanceLines(words, width, lines, (part) => widthOf(part, size)) }
  }
  const size = sizes.at(-1) ?? 40
  const measure = (part: string) => widthOf(part, size)
  const pieces = words.flatMap((word) => breakWord(word, width, measure))
  const all = breakLines(pieces, width, measure) ?? pieces
  const lines = all.slice(0, mostLines)
  if (lines.length < all.length) lines.push(shortenLine(lines.pop() ?? '', width, measure))
  return { size, lines }
}

/** Null: a word is longer than a line. */
function breakLines(words: readonly string[], width: number, measure: (text: string) => number): string[] | null {
  const lines: string[] = []
  for (const word of words) {
    if (measure(word) > width) return null
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Finds the narrowest block with the same number of lines. */
function balanceLines(
  words: readonly string[],
  width: number,
  lines: string[],
  measure: (text: string) => number,
): string[] {
  let best = lines
  for (let narrower = width * 0.95; narrower > width * 0.4; narrower -= width * 0.05) {
    const tried = breakLines(words, narrower, measure)
    if (!tried || tried.length > lines.length) break
    best = tried
  }
  return best
}

function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = []
  for (const character of word) {
    const last = pieces.at(-1)
    if (last !== undefined && measure(last + character) <= width) pieces[pieces.length - 1] = last + character
    else pieces.push(character)
  }
  return pieces
}

function shortenLine(line: string, width: number, measure: (text: string) => number): string {
  let text = line
  while (text.length > 1 && measure(`${text}…`) > width) text = text.slice(0, -1).trimEnd()
  return `${text}…`
}
