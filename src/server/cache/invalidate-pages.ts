import type { Clock } from '#contract/shared/environment.ts'
import { type CatalogTools, type CatalogUpdate, waitForNewestCatalog } from '#shop/catalog/cached-catalog.ts'
import type { ShopChange } from '../operations/configuration/live-configuration.ts'
import { pageTags, tagsOfChange } from './cache-tags.ts'
import type { ShownCatalog } from './changed-tags.ts'
import type { PageCache } from './page-cache.ts'

/** Reading a great catalogue again takes longer than pages may go on showing what was. */
export const invalidationTimeoutMs = 300

type Parts = {
  readonly pageCache: PageCache
  readonly clock: Clock
  readonly catalog: () => CatalogTools
  /** Discards the cached shop context of pages. */
  readonly forgetShop: () => void
  /** Called when no cached page is stale any more, with the catalog change if there is one. */
  readonly onShown?: (catalog?: ShownCatalog) => void
}

export type PageInvalidation = {
  /** Evicts every page. */
  readonly all: () => void
  /** Evicts the pages that show a change. */
  readonly after: (what: ShopChange) => void
}

export function pageInvalidation({
  pageCache,
  clock,
  catalog,
  forgetShop,
  onShown = () => {},
}: Parts): PageInvalidation {
  const all = () => {
    forgetShop()
    pageCache.clear()
  }
  const some = (tags: readonly string[]) => {
    forgetShop()
    pageCache.forget(tags)
  }
  /** Waits for the index to catch up: a page rebuilt before would show the old catalog. */
  const afterCatalog = () => {
    const began = clock.now().getTime()
    const caughtUp = new AbortController()
    clock.sleep(invalidationTimeoutMs, caughtUp.signal).then(() => caughtUp.signal.aborted || all())
    const forget = ({ change, since, version }: CatalogUpdate) => {
      caughtUp.abort()
      const tags = change && tagsOfChange(change)
      if (tags) some(tags)
      else all()
      onShown({ since, version, tags, tookMs: clock.now().getTime() - began })
    }
    waitForNewestCatalog(catalog()).then(forget, () => {
      caughtUp.abort()
      all()
    })
  }
  return {
    all,
    after(what) {
      if (what === 'catalog') return afterCatalog()
      if (what === 'configuration' || what === 'words') all()
      else some([pageTags.language(what.slice('translation:'.length))])
      onShown()
    },
  }
}
