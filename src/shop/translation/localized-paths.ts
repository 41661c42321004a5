import { basePaths } from '#contract/shared/reserved-paths.ts'
import type { LanguageSetting } from '#contract/translation/language-settings.ts'
import { slugOf } from '#contract/translation/language-settings.ts'
import { hasLanguages } from '#contract/translation/languages.ts'
import { ownCopy } from '../shared/copy-string.ts'
import type { Tools } from '../shared/tools.ts'
import { languagePaths, slugProblem } from './slug-problem.ts'
import type { SlugKind, Translator } from './translator.ts'

/** The URLs of one language, in both directions. */
export type Addresses = {
  /**
   * Localizes a path of the shop: `/product/tidal-vase/` → `/de/produkt/gezeitenvase/`. A path without a language, with
   * a language already, or of another site stays unchanged. Query and fragment are kept.
   */
  readonly lead: (path: string) => string
  /**
   * Returns the shop's own path of a localized one without its language prefix: `/produkt/gezeitenvase/` →
   * `/product/tidal-vase/`.
   */
  readonly known: (path: string) => string
}

type Speaking = Pick<Tools, 'translator' | 'pageSlugs'> & {
  readonly settings: { readonly language: string; readonly languages: readonly LanguageSetting[] }
}

/** @returns a path of the shop in the language of the tools. */
export async function addressIn(tools: Speaking, path: string): Promise<string> {
  return (await addressesIn(tools)).lead(path)
}

/** Cached while settings and translations of the language stay the same. */
export async function addressesIn(tools: Speaking): Promise<Addresses> {
  const translator = await tools.translator()
  const { settings } = tools
  const pages = tools.pageSlugs()
  const before = made.get(translator)
  if (before?.settings === settings && before.pages === pages) return before.addresses
  const own = settings.languages.find(({ tag }) => tag === settings.language)
  const addresses = own ? createAddresses(slugOf(own), languagePaths(settings), translator, pages) : ownAddresses
  made.set(translator, { settings, pages, addresses })
  return addresses
}

type Made = { settings: Speaking['settings']; pages: ReadonlySet<string>; addresses: Addresses }
const made = new WeakMap<Translator, Made>()

/** The paths of the merchant's own language, which stay unchanged. */
const ownAddresses: Addresses = { lead: (path) => path, known: (path) => path }

/** The cache of paths is cleared at this size; visitors can request any number of paths, and long ones. */
const remembered = 2_000
const longestRemembered = 300

/**
 * @param languages first path parts that name a language
 * @param pages slugs of the static pages
 */
export function createAddresses(
  slug: string,
  languages: ReadonlySet<string>,
  translator: Pick<Translator, 'slug' | 'slugFrom'>,
  pages: ReadonlySet<string> = new Set(),
): Addresses {
  const led = new Map<string, string>()
  const met = new Map<string, string>()
  const leadPath = (path: string) =>
    remember(led, path, () =>
      staysAsItIs(path, languages) ? path : `/${slug}${walk(path, (kind, own) => [own, shown(kind, own)])}`,
    )
  const shown = (kind: SlugKind, own: string) => {
    const said = translator.slug(kind, own)
    return isPart(said) && isUsable(kind, own, said) ? said : own
  }
  // Rows saved before slugs were validated must not lead to a wrong page. Of two candidates the base wins, then the
  // older row.
  const isUsable = (kind: SlugKind, own: string, translated: string) =>
    translated === own ||
    slugProblem(
      { kind, own, translated },
      {
        languages,
        pages,
        others: (of) => {
          if (kind === 'base' && of === 'page') return []
          const other = translator.slugFrom(of, translated)
          return other === undefined || (of === kind && other === own) ? [] : [other]
        },
      },
    ) === null
  return {
    lead(path) {
      const query = path.indexOf('?')
      const fragment = path.indexOf('#')
      const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
      return end < 0 ? leadPath(path) : leadPath(path.slice(0, end)) + path.slice(end)
    },
    known: (path) =>
      remember(met, path, () =>
        walk(path, (kind, part) => {
          const own = translator.slugFrom(kind, part)
          return own === undefined || !isUsable(kind, own, part) ? null : [own, own]
        }),
      ),
  }
}

function remember(all: Map<string, string>, path: string, make: () => string): string {
  const before = all.get(path)
  if (before !== undefined) return before
  const made = make()
  if (path.length > longestRemembered) return made
  if (all.size >= remembered) all.clear()
  const key = ownCopy(path)
  all.set(key, made === path ? key : ownCopy(made))
  return made
}

function staysAsItIs(path: string, begins: ReadonlySet<string>): boolean {
  if (!path.startsWith('/') || path.startsWith('//') || !hasLanguages(path)) return true
  return begins.has(path.split('/', 2)[1] ?? '')
}

/** Returns true if a text can be one path part: any other text would change the path. */
function isPart(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.length <= 300 && !/[/\\%?#\p{Cc}]/u.test(text)
}

/** Paths that programs request. */
const programs = /^(?:wp-[a-z]+|pay|download|search-suggestions|address-data|feed|api)$/

/** Translates one path part. @returns the shop's own slug and the one to write; null if neither is known */
type Turn = (kind: SlugKind, part: string) => readonly [own: string, written: string] | null

/** Translates each path part that a language can have. The shop's own slugs decide about the kind of a path. */
function walk(path: string, turn: Turn): string {
  const parts = path.split('/')
  const first = decoded(parts[1] ?? '')
  if (first === null || first === '' || programs.test(first)) return path
  const base = turn('base', first)
  const own = base?.[0] ?? first
  if (!basePaths.has(own)) return written(parts, (part, place) => (place === 1 ? turn('page', part)?.[1] : undefined))
  let furtherPages = false
  return written(parts, (part, place) => {
    if (place === 1) return base?.[1]
    if (/^\d+$/.test(part)) return undefined
    if (own === 'product') return place === 2 ? turn('product', part)?.[1] : undefined
    if (own === 'product-tag' && place === 2) return turn('tag', part)?.[1]
    if (own === 'product-category') {
      const ofPages = turn('base', part)
      furtherPages ||= place > 2 && (ofPages?.[0] ?? part) === 'page' && /^\d+$/.test(parts[place + 1] ?? '')
      return furtherPages ? ofPages?.[1] : turn('category', part)?.[1]
    }
    return turn('base', part)?.[1]
  })
}

/** Joins parts in URL encoding; undecodable or untranslated parts stay unchanged. */
function written(parts: readonly string[], turned: (part: string, place: number) => string | undefined): string {
  return parts
    .map((raw, place) => {
      if (raw === '') return raw
      const part = decoded(raw)
      if (part === null) return raw
      const said = turned(part, place)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: encodes all but ASCII, as browsers request it
      if (said === undefined || said === part) return /[^\x00-\x7f]/.test(raw) ? encodeURIComponent(part) : raw
      return encodeURIComponent(said)
    })
    .join('/')
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
