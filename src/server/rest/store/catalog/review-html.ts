import { escapeHtml } from '../../../notices/cart-notices.tsx'

/** Reviews are plain text of strangers: their markup is text. */
export const reviewHtml = {
  text: escapeHtml,
  paragraphs: (content: string): string =>
    content
      .split(/\n{2,}/)
      .filter((part) => part.trim() !== '')
      .map((part) => `<p>${escapeHtml(part.trim()).replaceAll('\n', '<br>')}</p>`)
      .join('\n'),
}
