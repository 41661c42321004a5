import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'

/** Returns the action of a listing's forms, without its query: each form adds its own parameters. */
export const formPath = ({ path }: Pick<ListingFacts, 'path'>): string => path.split('?', 1)[0] ?? '/'

/** Parameters of a form itself, or of the page that is left. */
const notCarried = new Set(['orderby', 'submit', 'paged', 'product-page', 'min_price', 'max_price'])

/**
 * Returns the parameters that a form of the listing has to include, since a GET form drops the query of its action: the
 * search term and all filters. `keep` names those that this form does not have itself.
 */
export function carriedParameters(
  { path, query }: Pick<ListingFacts, 'path' | 'query'>,
  keep: readonly string[],
): [string, string][] {
  const all = new URLSearchParams(path.split('?')[1] ?? '')
  for (const [name, value] of Object.entries(query)) all.set(name, value)
  return [...all].filter(([name]) => !notCarried.has(name) || keep.includes(name))
}
