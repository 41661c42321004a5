import type { MarkupPieces } from '#web/pages/shared/markup-bytes.ts'
import { renderPublicDocument } from '#web/pages/shared/render.tsx'

/** A page for everybody as a text. */
export const publicMarkup = (...page: Parameters<typeof renderPublicDocument>): string =>
  textOfPieces(renderPublicDocument(...page))

export const textOfPieces = (pieces: MarkupPieces): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
