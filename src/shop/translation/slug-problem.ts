import { basePaths, endpointPaths, reservedPath } from '#contract/shared/reserved-paths.ts'
import { bareLanguage, type LanguageSetting, slugOf } from '#contract/translation/language-settings.ts'
import type { SlugKind } from './translator.ts'

/**
 * `reserved`: a path of the shop itself, of a file or of a language; `taken`: it leads to another page, product or
 * term.
 */
export type SlugProblem = 'reserved' | 'taken'

/** A path part in one language. */
export type LocalizedSlug = {
  readonly kind: SlugKind
  /** The shop's own slug. */
  readonly own: string
  /** The language's slug; the same as `own` without a translation. */
  readonly translated: string
}

/** The other path parts of the same language. */
export type SlugNeighbours = {
  /** First path parts that name a language. */
  readonly languages: ReadonlySet<string>
  /** Slugs of the shop's static pages. */
  readonly pages: ReadonlySet<string>
  /** The own slugs of a kind, except that of `slug`, with the same slug in this language. */
  readonly others: (kind: SlugKind, slug: LocalizedSlug) => readonly string[]
}

/** @returns the reason that a path part cannot be used in a language. Every writer of slugs and the routing use it. */
export function slugProblem(slug: LocalizedSlug, { languages, pages, others }: SlugNeighbours): SlugProblem | null {
  const { kind, own, translated } = slug
  const isOwn = translated === own
  const isBase = kind === 'base' && basePaths.has(own)
  const isFirst = isBase || kind === 'page'
  // A number in a path is the page of a listing, or an order.
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

/** @returns the reason that URLs cannot start with a language's path prefix */
export function languagePathProblem(path: string, pages: ReadonlySet<string>): SlugProblem | null {
  if (reservedPath(path) !== null) return 'reserved'
  return pages.has(path) ? 'taken' : null
}

/** @returns the first path parts that name a language; the shop's own prefix redirects to URLs without one */
export function languagePaths({ language, languages }: Languages): ReadonlySet<string> {
  return new Set([...languages.map(slugOf), ...(languages.length > 0 ? [bareLanguage(language)] : [])])
}
