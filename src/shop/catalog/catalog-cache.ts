import type { KeptCatalog } from './cached-catalog.ts'
import type { KeptWordIndex } from './localized-search-words.ts'

/** The catalog of one process. The composition root creates it once; all views of the shop share it. */
export type CatalogCache = {
  /** Null until the first read, and after a failed one. */
  catalog: KeptCatalog | null
  /** Search words by language. */
  readonly words: Map<string, KeptWordIndex>
}

export function emptyCatalogCache(): CatalogCache {
  return { catalog: null, words: new Map() }
}
