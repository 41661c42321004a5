import { bareLanguage } from '#contract/translation/language-settings.ts'
import { type Addresses, addressesIn } from '#shop/translation/localized-paths.ts'
import type { AlternateLink } from '#web/pages/shared/page-head.tsx'
import type { PageAddress } from '#web/parts/translation/page-addresses.tsx'
import type { Application } from '../operations/startup/application.ts'

/**
 * Returns a page's addresses in all published languages, the shop's own first.
 * @param path in the shop's own language
 */
export async function pageAddresses(app: Application, path: string): Promise<PageAddress[]> {
  const languages = app.languages().filter(({ tag, published }) => published || tag === app.language.tag)
  if (languages.length === 1) return []
  return Promise.all(
    languages.map(async ({ tag }) => ({ tag, path: (await addressesIn(app.inLanguage(tag).tools)).lead(path) })),
  )
}

/**
 * Returns the alternate links for search engines: each language by its full tag, a language without a country also as
 * the general one, and the shop's own as the default.
 * @param addresses in every language that has the page, the shop's own first
 */
export function alternateLinks(origin: string, addresses: readonly PageAddress[]): AlternateLink[] {
  const [own] = addresses
  if (!own || addresses.length < 2) return []
  const href = new Map(addresses.map(({ tag, path }) => [tag, origin + path]))
  for (const { tag, path } of addresses) {
    const language = bareLanguage(tag)
    if (!href.has(language)) href.set(language, origin + path)
  }
  href.set('x-default', origin + own.path)
  return [...href].map(([hreflang, to]) => ({ hreflang, href: to }))
}

/** Returns the languages of a static page: the shop's own, and those that have a file. */
export function pageLanguages(
  { content, languages }: Pick<Application, 'content' | 'languages'>,
  slug: string,
): string[] {
  return languages()
    .filter((one) => one.slug === '' || (content.find(slug, one.tag)?.language ?? null) !== null)
    .map(({ tag }) => tag)
}

/** Returns the path localizers of the published languages. */
export function publishedPrefixes(app: Application): Promise<Addresses['lead'][]> {
  const published = app.languages().filter((one) => one.published)
  return Promise.all(published.map(async ({ tag }) => (await addressesIn(app.inLanguage(tag).tools)).lead))
}
