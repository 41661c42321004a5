import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

/**
 * Text as outlines, so that a picture looks the same on every machine, whatever letters are installed there. The files hold
 * the letters of a range of languages each and are opened when one of theirs is met.
 */
const files = ['latin', 'latin-ext', 'vietnamese'].map(
  (range) => `@fontsource-variable/petrona/files/petrona-${range}-wght-normal.woff2`,
)

export type Letters = {
  /** Whether every character can be drawn. */
  knows(text: string): boolean
  widthOf(text: string, size: number): number
  /** Path data with its baseline's left end at `x`, `y`. */
  outline(text: string, size: number, x: number, y: number): string
}

export async function openFonts(): Promise<Letters> {
  const { resolve } = createRequire(import.meta.url)
  const fonts = await Promise.all(files.map(async (file) => opened(await readFile(resolve(file)))))
  const fontOf = (character: string) => fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
  /** Stretches of text that one file has all letters of. A space goes with what is before it, so that words keep together. */
  const runs = (text: string): { font: Font; text: string }[] => {
    const found: { font: Font; text: string }[] = []
    for (const character of text) {
      const last = found.at(-1)
      const font = last && /\s/.test(character) ? last.font : (fontOf(character) ?? fonts[0])
      if (!font) continue
      if (last?.font === font) last.text += character
      else found.push({ font, text: character })
    }
    return found
  }
  const laidOut = (text: string) => runs(text).map(({ font, text: part }) => ({ font, run: font.layout(part) }))
  return {
    knows: (text) => [...text].every((character) => /\s/.test(character) || fontOf(character) !== undefined),
    widthOf: (text, size) =>
      laidOut(text).reduce((width, { font, run }) => width + (run.advanceWidth / font.unitsPerEm) * size, 0),
    outline(text, size, x, y) {
      let pen = x
      return laidOut(text)
        .flatMap(({ font, run }) => {
          const scale = size / font.unitsPerEm
          return run.glyphs.map((glyph, place) => {
            const position = run.positions[place]
            const at = glyph.path.transform(
              scale,
              0,
              0,
              -scale,
              pen + (position?.xOffset ?? 0) * scale,
              y - (position?.yOffset ?? 0) * scale,
            )
            pen += (position?.xAdvance ?? glyph.advanceWidth) * scale
            return at.toSVG()
          })
        })
        .join('')
    },
  }
}

function opened(bytes: Buffer): Font {
  const font = create(bytes)
  if (!('layout' in font)) throw new Error('a file of letters holds several fonts')
  return font
}

export type SetText = { readonly size: number; readonly lines: readonly string[] }

type Room = { width: number; sizes: readonly number[]; mostLines: number }

/**
 * Breaks a text into lines at the largest size at which it takes no more than so many, and as evenly as these allow. What is
 * too long at the smallest size ends in three dots.
 */
export function setText(
  { widthOf }: Pick<Letters, 'widthOf'>,
  text: string,
  { width, sizes, mostLines }: Room,
): SetText {
  const words = text.trim().split(/\s+/)
  for (const size of sizes) {
    const lines = broken(words, width, (part) => widthOf(part, size))
    if (lines && lines.length <= mostLines)
      return { size, lines: balanced(words, width, lines, (part) => widthOf(part, size)) }
  }
  const size = sizes.at(-1) ?? 40
  const measure = (part: string) => widthOf(part, size)
  const pieces = words.flatMap((word) => hyphenated(word, width, measure))
  const all = broken(pieces, width, measure) ?? pieces
  const lines = all.slice(0, mostLines)
  if (lines.length < all.length) lines.push(shortened(lines.pop() ?? '', width, measure))
  return { size, lines }
}

/** Null: a word is longer than a line. */
function broken(words: readonly string[], width: number, measure: (text: string) => number): string[] | null {
  const lines: string[] = []
  for (const word of words) {
    if (measure(word) > width) return null
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The narrowest block with as many lines. */
function balanced(
  words: readonly string[],
  width: number,
  lines: string[],
  measure: (text: string) => number,
): string[] {
  let best = lines
  for (let narrower = width * 0.95; narrower > width * 0.4; narrower -= width * 0.05) {
    const tried = broken(words, narrower, measure)
    if (!tried || tried.length > lines.length) break
    best = tried
  }
  return best
}

function hyphenated(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = []
  for (const character of word) {
    const last = pieces.at(-1)
    if (last !== undefined && measure(last + character) <= width) pieces[pieces.length - 1] = last + character
    else pieces.push(character)
  }
  return pieces
}

function shortened(line: string, width: number, measure: (text: string) => number): string {
  let text = line
  while (text.length > 1 && measure(`${text}…`) > width) text = text.slice(0, -1).trimEnd()
  return `${text}…`
}
