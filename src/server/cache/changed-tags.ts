import type { ChangeCounts } from '#database/operations/page-purges.ts'
import { pageTags } from './cache-tags.ts'

/** Describes a catalog change that this process's pages now show. */
export type ShownCatalog = {
  /** Null: the previous version is unknown. */
  readonly since: number | null
  readonly version: number
  /** Null: any page may have changed. */
  readonly tags: readonly string[] | null
  /** Milliseconds from the announcement until pages showed the change. */
  readonly tookMs: number
}

/** Prefix of changes of one language. Any other change, except of the catalog, purges everything. */
const languagePrefix = 'translation:'

/**
 * Returns the tags that a cache must purge to get from the state `told` to the state `now`.
 * @param shown catalog changes seen by this process, in order
 * @returns null: purge everything
 */
export function tagsBetween(
  told: ChangeCounts,
  now: ChangeCounts,
  shown: readonly ShownCatalog[],
): readonly string[] | null {
  const kinds = Object.keys({ ...told.counts, ...now.counts }).filter((kind) => told.counts[kind] !== now.counts[kind])
  if (!kinds.every((kind) => kind.startsWith(languagePrefix))) return null
  const catalog = told.catalog === now.catalog ? [] : catalogTags(told.catalog, now.catalog, shown)
  return catalog && [...kinds.map((kind) => pageTags.language(kind.slice(languagePrefix.length))), ...catalog]
}

/** Returns null where the seen versions have a gap, as when this process started after the first of them. */
function catalogTags(from: number, to: number, shown: readonly ShownCatalog[]): readonly string[] | null {
  const tags = new Set<string>()
  let known = from
  for (const { since, version, tags: seen } of shown) {
    if (version <= from) continue
    if (since === null || since > known || seen === null) return null
    for (const tag of seen) tags.add(tag)
    known = version
  }
  return known >= to && to > from ? [...tags] : null
}
