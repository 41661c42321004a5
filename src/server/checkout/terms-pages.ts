import type { ShopSettings } from '#contract/shared/settings.ts'
import { type TermsVersion, termsVersion } from '#shop/checkout/agreed-terms.ts'
import type { ContentFiles, ContentPage } from '../content/content-files.ts'

export const termsSlug = 'terms'
export const privacySlug = 'privacy-policy'

/** Keyed by the page object, which is replaced after each change of its file. */
const known = new WeakMap<ContentPage, TermsVersion>()

/**
 * Returns the terms that shoppers accept in a language. Null where the merchant requires none or has not published the
 * page: consent to a missing page would be worthless.
 * @param ownLanguage language of pages without a file for `language`
 */
export function termsOf(
  { termsPage, language }: Pick<ShopSettings, 'termsPage' | 'language'>,
  content: ContentFiles,
  ownLanguage: string,
): TermsVersion | null {
  const page = termsPage ? content.find(termsSlug, language) : undefined
  if (!page) return null
  const before = known.get(page)
  // The shop's own language may change without the file.
  const written = page.language ?? ownLanguage
  if (before?.language === written) return before
  const { title, description: introduction, markdown: text } = page
  const made = termsVersion({ language: written, title, introduction, text })
  known.set(page, made)
  return made
}
