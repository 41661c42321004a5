import type { CatalogTools } from '../catalog/cached-catalog.ts'
import type { ProductCardFacts, TermFacts } from '../catalog/catalog-facts.ts'
import { readListing } from '../catalog/read-listing.ts'
import { suggest } from '../catalog/suggest-searches.ts'

/** Suggestions for a visitor of a missing page. */
export type NotFoundHelp = {
  /** The search term guessed from the URL; '' without one. */
  term: string
  /** The search results. */
  products: readonly ProductCardFacts[]
  categories: readonly TermFacts[]
  /** The newest products, if nothing was found. */
  newest: readonly ProductCardFacts[]
}

const shown = 4

/** @param path the requested path */
export async function readNotFoundHelp(tools: CatalogTools, path: string): Promise<NotFoundHelp> {
  const term = wordsOf(path)
  const found = term ? await suggest(tools, term) : null
  if (found && found.products.length > 0) {
    return { term, products: found.products.slice(0, shown), categories: found.categories, newest: [] }
  }
  const listing = await readListing(tools, { kind: 'shop', sorting: 'date' })
  return { term, products: [], categories: found?.categories ?? [], newest: listing?.products.slice(0, shown) ?? [] }
}

/** Returns the words of the last path part: `/product/harbour-mug/` means a harbour mug, `/wp-login.php` nothing. */
function wordsOf(path: string): string {
  const last = decoded(path).split('/').filter(Boolean).at(-1) ?? ''
  if (!/^[\p{L}\p{N}\s_+-]{3,80}$/u.test(last) || /^\d+$/.test(last)) return ''
  return last.replace(/[\s_+-]+/g, ' ').trim()
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
