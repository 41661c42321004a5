import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { TermsText } from '#web/parts/shared/shop-context.tsx'
import type { ContentFiles } from '../content/content-files.ts'
import { renderMarkdown } from '../content/markdown.ts'
import { writtenIn } from '../translation/content-language.ts'
import { termsSlug } from './terms-pages.ts'

/**
 * Returns the text of the terms for the checkout; null if the page is missing. Its headings lose their ids, which could
 * clash with those of the checkout.
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
