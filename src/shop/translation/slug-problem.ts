import { basePaths, endpointPaths, reservedPath } from '#contract/shared/reserved-paths.ts'
import { bareLanguage, type LanguageSetting, slugOf } from '#contract/translation/language-settings.ts'
import type { SlugKind } from './translator.ts'

/** `reserved`: the shop itself, a file or a language is served there; `taken`: it leads to another page, product or term. */
export type SlugProblem = 'reserved' | 'taken'

/** A path part in one language. */
export type LocalizedSlug = {
  readonly kind: SlugKind
  /** As the shop itself knows it. */
  readonly own: string
  /** As the language writes it; the same as `own` where the language has no word of its own. */
  readonly translated: string
}

/** What else the addresses of the same language consist of. */
export type SlugNeighbours = {
  /** First path parts that name a language. */
  readonly languages: ReadonlySet<string>
  /** Slugs of the shop's static pages. */
  readonly pages: ReadonlySet<string>
  /** The own slugs of a kind, other than that of `slug`, which this language writes in the same way. */
  readonly others: (kind: SlugKind, slug: LocalizedSlug) => readonly string[]
}

/** @returns why a path part cannot be used in a language. Every writer of slugs asks here, and so does routing. */
export function slugProblem(slug: LocalizedSlug, { languages, pages, others }: SlugNeighbours): SlugProblem | null {
  const { kind, own, translated } = slug
  const isOwn = translated === own
  const isBase = kind === 'base' && basePaths.has(own)
  const isFirst = isBase || kind === 'page'
  // A number in a path is that of a page of a listing, or of an order.
  if (!isOwn && kind !== 'page' && /^\d+$/.test(translated)) return 'reserved'
  if (isFirst && languages.has(translated.toLowerCase())) return 'reserved'
  if (isFirst && reservedPath(translated) !== null && !(isBase && isOwn)) return 'reserved'
  if (kind === 'base' && !isOwn && (basePaths.has(translated) || endpointPaths.has(translated))) return 'reserved'
  if (isFirst && (isBase || !isOwn) && pages.has(translated)) return 'taken'
  if (others(kind, slug).length > 0) return 'taken'
  if (isBase && others('page', slug).length > 0) return 'taken'
  if (kind === 'page' && others('base', slug).some((base) => basePaths.has(base))) return 'taken'
  return null
}

export type Languages = { readonly language: string; readonly languages: readonly LanguageSetting[] }

/** @returns why addresses cannot begin with a language's path prefix */
export function languagePathProblem(path: string, pages: ReadonlySet<string>): SlugProblem | null {
  if (reservedPath(path) !== null) return 'reserved'
  return pages.has(path) ? 'taken' : null
}

/** @returns the first path parts that name a language; that of the shop's own leads to addresses without one */
export function languagePaths({ language, languages }: Languages): ReadonlySet<string> {
  return new Set([...languages.map(slugOf), ...(languages.length > 0 ? [bareLanguage(language)] : [])])
}
