/**
 * Texts of another shop as cells of a product file: the inverse of the cell parsers in
 * `contract/import/product-csv-cells.ts`.
 */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }

/** Decodes a name: the classic shop stores names as markup, with numbered entities for dashes and quotation marks. */
export function plainName(markup: string): string {
  return markup
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, (mark, decimal, hexadecimal, name) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? mark) : mark
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
      return code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : mark
    })
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Returns a review as plain text, which is what reviews here are. */
export function plainReview(markup: string): string {
  const lines = markup.replace(/<br\s*\/?>|<\/p>/gi, '\n').replace(/<[^>]*>/g, '')
  return lines
    .split('\n')
    .map((line) => plainName(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Escapes a name, so that the parser of names returns it unchanged. */
export function nameCell(name: string): string {
  return name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Joins names to a list; a comma within a name is escaped. */
export function listCell(names: readonly string[]): string {
  return names.map((name) => nameCell(name).replaceAll(',', '\\,')).join(', ')
}

/** Writes a path of categories from the top. */
export function pathCell(path: readonly string[]): string {
  return path.map((name) => nameCell(name).replaceAll(',', '\\,')).join(' > ')
}

/** Escapes a long text: the file writes line breaks as `\n`. */
export function textCell(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll('\\n', '\\\\n')
    .replace(/\r\n?|\n/g, '\\n')
}

/** Decodes a slug: the classic shop encodes letters of other scripts. */
export function plainSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
