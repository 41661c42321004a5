import type { ChangeCounts } from '#database/operations/page-purges.ts'
import { pageTags } from './cache-tags.ts'

/** What of the catalogue has come to be shown by this process's pages. */
export type ShownCatalog = {
  /** Null: what was before is not known. */
  readonly since: number | null
  readonly version: number
  /** Null: anything may show otherwise. */
  readonly tags: readonly string[] | null
  /** From the announcement until pages showed it. */
  readonly tookMs: number
}

/** By what a change is told that is neither the catalogue's nor of one language: by everything. */
const ofLanguage = 'translation:'

/**
 * What a cache has to let go of that was told of `told` last and shall know `now`.
 * @param shown what this process has seen of the catalogue, in order
 * @returns null: everything
 */
export function tagsBetween(
  told: ChangeCounts,
  now: ChangeCounts,
  shown: readonly ShownCatalog[],
): readonly string[] | null {
  const kinds = Object.keys({ ...told.counts, ...now.counts }).filter((kind) => told.counts[kind] !== now.counts[kind])
  if (!kinds.every((kind) => kind.startsWith(ofLanguage))) return null
  const catalog = told.catalog === now.catalog ? [] : catalogTags(told.catalog, now.catalog, shown)
  return catalog && [...kinds.map((kind) => pageTags.language(kind.slice(ofLanguage.length))), ...catalog]
}

/** Null where what was seen leaves a gap, as when this process has started after the first of these versions. */
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
