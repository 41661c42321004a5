import type { CatalogTools } from '../catalog/cached-catalog.ts'
import type { ProductCardFacts, TermFacts } from '../catalog/catalog-facts.ts'
import { readListing } from '../catalog/read-listing.ts'
import { suggest } from '../catalog/suggest-searches.ts'

/** What may help somebody who has come to an address where there is nothing. */
export type NotFoundHelp = {
  /** What the address seems to ask for; '' where it says nothing. */
  term: string
  /** What the term finds. */
  products: readonly ProductCardFacts[]
  categories: readonly TermFacts[]
  /** What has come in last, where nothing was found. */
  newest: readonly ProductCardFacts[]
}

const shown = 4

/** @param path of the address, as it was asked for */
export async function readNotFoundHelp(tools: CatalogTools, path: string): Promise<NotFoundHelp> {
  const term = wordsOf(path)
  const found = term ? await suggest(tools, term) : null
  if (found && found.products.length > 0) {
    return { term, products: found.products.slice(0, shown), categories: found.categories, newest: [] }
  }
  const listing = await readListing(tools, { kind: 'shop', sorting: 'date' })
  return { term, products: [], categories: found?.categories ?? [], newest: listing?.products.slice(0, shown) ?? [] }
}

/** The words of the last part of an address: `/product/harbour-mug/` asks for a harbour mug, `/wp-login.php` for nothing. */
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
