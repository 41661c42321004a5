export type FontMetrics = {
  /** Checks whether the font has a glyph for the character. */
  has(character: string): boolean
  /** Width of the character in ems, without kerning. */
  advance(character: string): number
}

/**
 * Reads which characters a TrueType font has and how wide they are: its tables `cmap` (format 4, the characters of the
 * basic plane), `hmtx`, `hhea` and `head`.
 * @throws when a table is missing
 */
export function fontMetrics(font: Buffer): FontMetrics {
  const tableAt = (tag: string) => {
    const count = font.readUInt16BE(4)
    for (let nr = 0; nr < count; nr += 1) {
      const entry = 12 + nr * 16
      if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8)
    }
    throw new Error(`the font has no table ${tag}`)
  }
  const unitsPerEm = font.readUInt16BE(tableAt('head') + 18)
  const metricCount = font.readUInt16BE(tableAt('hhea') + 34)
  const metrics = tableAt('hmtx')
  const glyphs = glyphsOf(font, tableAt('cmap'))
  return {
    has: (character) => glyphs.has(character.codePointAt(0) ?? 0),
    advance(character) {
      const glyph = glyphs.get(character.codePointAt(0) ?? 0) ?? 0
      // The last entry goes for all after it.
      return font.readUInt16BE(metrics + 4 * Math.min(glyph, metricCount - 1)) / unitsPerEm
    },
  }
}

function glyphsOf(font: Buffer, cmap: number): Map<number, number> {
  const count = font.readUInt16BE(cmap + 2)
  const tables = Array.from({ length: count }, (_, nr) => cmap + font.readUInt32BE(cmap + 4 + nr * 8 + 4))
  const table = tables.find((at) => font.readUInt16BE(at) === 4)
  if (table === undefined) throw new Error('the font has no character map of format 4')
  const length = font.readUInt16BE(table + 6)
  const ends = table + 14
  const starts = ends + length + 2
  const glyphs = new Map<number, number>()
  for (let at = 0; at < length; at += 2) {
    const delta = font.readUInt16BE(starts + length + at)
    const rangeAt = starts + 2 * length + at
    const range = font.readUInt16BE(rangeAt)
    const start = font.readUInt16BE(starts + at)
    for (let code = start; code <= font.readUInt16BE(ends + at) && code !== 0xffff; code += 1) {
      const listed = range === 0 ? code : font.readUInt16BE(rangeAt + range + 2 * (code - start))
      const glyph = range === 0 || listed !== 0 ? (listed + delta) & 0xffff : 0
      if (glyph !== 0) glyphs.set(code, glyph)
    }
  }
  return glyphs
}
