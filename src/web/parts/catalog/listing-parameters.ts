import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'

/** Where a form of the listing leads: its own parameters come behind it. */
export const formPath = ({ path }: Pick<ListingFacts, 'path'>): string => path.split('?', 1)[0] ?? '/'

/** These belong to a form itself or to the page that is being left. */
const notCarried = new Set(['orderby', 'submit', 'paged', 'product-page', 'min_price', 'max_price'])

/**
 * The parameters that a form of the listing must send along, since a GET form drops the query of its address: the term of a
 * search and everything that the listing is narrowed by. `keep` names those that this form does not ask for itself.
 */
export function carriedParameters(
  { path, query }: Pick<ListingFacts, 'path' | 'query'>,
  keep: readonly string[],
): [string, string][] {
  const all = new URLSearchParams(path.split('?')[1] ?? '')
  for (const [name, value] of Object.entries(query)) all.set(name, value)
  return [...all].filter(([name]) => !notCarried.has(name) || keep.includes(name))
}
