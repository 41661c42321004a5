/** Markup, some of it as bytes already (UTF-8): together they are a page. */
export type MarkupPieces = readonly (string | Uint8Array)[]
