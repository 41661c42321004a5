/** Markup, some of it already as UTF-8 bytes: together they form a page. */
export type MarkupPieces = readonly (string | Uint8Array)[]

/**
 * Encodes markup as UTF-8, so that a page is assembled by copying: a single curly quotation mark makes a string use two
 * bytes per character, and encoding that again for each page takes fifty times as long.
 */
export const asBytes = (markup: string): Uint8Array => encoder.encode(markup)

const encoder = new TextEncoder()
