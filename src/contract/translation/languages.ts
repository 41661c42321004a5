import { unlocalizedPaths } from '../shared/reserved-paths.ts'
import type { LanguageSetting } from './language-settings.ts'
import { slugOf } from './language-settings.ts'

/** A language of the shop. */
export type ShopLanguage = {
  /** BCP 47. */
  readonly tag: string
  /** Path prefix; '' for the shop's own language. */
  readonly slug: string
  /** The language's own name, unless the merchant sets another. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  /** False: only translators may see it. */
  readonly published: boolean
}

type Settings = { readonly language: string; readonly languages: readonly LanguageSetting[] }

/**
 * Returns every language of a shop, its own first. @param settings the shop's own, not those of one of its languages
 */
export function languagesOf(settings: Settings): readonly ShopLanguage[] {
  const known = listed.get(settings) ?? listLanguages(settings)
  listed.set(settings, known)
  return known
}

/** Cached, since every request calls it. */
const listed = new WeakMap<Settings, readonly ShopLanguage[]>()

function listLanguages({ language, languages }: Settings): readonly ShopLanguage[] {
  return [
    { tag: language, slug: '', name: nameOf(language), dir: directionOf(language), published: true },
    ...languages
      .filter(({ tag }) => tag !== language)
      .map((one) => ({
        tag: one.tag,
        slug: slugOf(one),
        name: one.name ?? nameOf(one.tag),
        dir: directionOf(one.tag),
        published: one.published,
      })),
  ]
}

/** @returns the merchant's language. @throws for an empty list, which no shop has */
export function ownLanguage(languages: readonly ShopLanguage[]): ShopLanguage {
  const own = languages.find(({ slug }) => slug === '')
  if (!own) throw new Error('the list of languages is empty')
  return own
}

const names = new Map<string, string>()

function nameOf(tag: string): string {
  const known = names.get(tag)
  if (known !== undefined) return known
  const { language } = new Intl.Locale(tag)
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(language) ?? tag
  const shown = name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  names.set(tag, shown)
  return shown
}

/** Returns the direction of a language. Node versions have it under one of two names. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const locale: Intl.Locale & { getTextInfo?: () => { direction?: string }; textInfo?: { direction?: string } } =
    new Intl.Locale(tag)
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === 'rtl' ? 'rtl' : 'ltr'
}

const unlocalized: ReadonlySet<string> = new Set(unlocalizedPaths)
const fileAtRoot = /^\/[^/]+\.(?:xml|txt|json|ico|svg|png)$/

/** @returns whether a path of the shop is localized: files, and data for programs, are not */
export function hasLanguages(path: string): boolean {
  const [bare = ''] = path.split(/[?#]/, 1)
  const [before, first = ''] = bare.split('/', 2)
  return !(before === '' && unlocalized.has(first)) && !fileAtRoot.test(bare)
}

/** @returns a path of the shop in a language. An unlocalized path stays. @param slug '' for the shop's own */
export function pathIn(slug: string, path: string): string {
  return slug === '' || !hasLanguages(path) ? path : `/${slug}${path}`
}

/** Splits a requested path. @returns the language of its first part, if any, and the path after it */
export function splitPath(
  languages: readonly ShopLanguage[],
  path: string,
): { language: ShopLanguage | undefined; path: string } {
  const first = /^\/([^/?#]+)(\/|$)/.exec(path)
  const language = first ? languages.find(({ slug }) => slug !== '' && slug === first[1]) : undefined
  return language ? { language, path: path.slice(language.slug.length + 1) || '/' } : { language, path }
}
