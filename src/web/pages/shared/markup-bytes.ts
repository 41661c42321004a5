/** Markup, some of it as bytes already (UTF-8): together they are a page. */
export type MarkupPieces = readonly (string | Uint8Array)[]

/**
 * As it goes out (UTF-8), so that a page is put together by copying: one quotation mark makes two bytes of every character of a
 * string, and to write those anew as bytes for each page takes fifty times as long.
 */
export const asBytes = (markup: string): Uint8Array => encoder.encode(markup)

const encoder = new TextEncoder()
