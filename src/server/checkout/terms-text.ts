import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { TermsText } from '#web/parts/shared/shop-context.tsx'
import type { ContentFiles } from '../content/content-files.ts'
import { renderMarkdown } from '../content/markdown.ts'
import { writtenIn } from '../translation/content-language.ts'
import { termsSlug } from './terms-pages.ts'

/**
 * Returns the text of the terms as the checkout shows it; null where the shop has no such page. Its headings lose their ids:
 * the checkout has elements of its own under such names.
 */
export function termsText(
  content: Pick<ContentFiles, 'find'> | undefined,
  languages: readonly ShopLanguage[],
  language: ShopLanguage,
  tableLabel: string,
): TermsText | null {
  const page = content?.find(termsSlug, language.tag)
  if (!page) return null
  const html = renderMarkdown(page.markdown, tableLabel).html.replace(/(<h\d) id="[^"]*"/g, '$1')
  return { html, writtenIn: writtenIn({ languages: () => languages, language }, page) }
}
