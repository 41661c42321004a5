import type { MarkupPieces } from './as-bytes.ts'
import { renderPublicDocument } from './render.tsx'

/** A page for everybody as a text. */
export const publicMarkup = (...page: Parameters<typeof renderPublicDocument>): string =>
  textOfPieces(renderPublicDocument(...page))

export const textOfPieces = (pieces: MarkupPieces): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
