import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

/** Returns the URL of a listing's page: page one has no number, a search keeps it in the query. */
export function listingPageUrl(facts: Pick<ListingFacts, 'kind' | 'path' | 'query'>, page: number): string {
  const [path = '/', ownQuery = ''] = facts.path.split('?')
  const query = new URLSearchParams(ownQuery)
  for (const [name, value] of Object.entries(facts.query)) query.set(name, value)
  query.delete('paged')
  if (facts.kind === 'search' && page > 1) query.set('paged', String(page))
  const target = facts.kind !== 'search' && page > 1 ? `${path}page/${page}/` : path
  const text = query.toString()
  return text ? `${target}?${text}` : target
}

/** Returns the page numbers to show: both ends, the neighbours, and `null` for a gap. */
export function pageNumbers(page: number, count: number): (number | null)[] {
  const shown = new Set([1, count, page - 1, page, page + 1].filter((number) => number >= 1 && number <= count))
  const numbers: (number | null)[] = []
  let last = 0
  for (const number of [...shown].sort((a, b) => a - b)) {
    if (number - last === 2) numbers.push(number - 1)
    else if (number - last > 2) numbers.push(null)
    numbers.push(number)
    last = number
  }
  return numbers
}

/** Links to the other pages of a listing. */
export function Pagination({ facts }: { facts: ListingFacts }) {
  const { t, path } = useShop()
  if (facts.pageCount <= 1) return null
  const pageUrl = (page: number) => path(listingPageUrl(facts, page))
  return (
    <nav className="woocommerce-pagination" aria-label={t('Product pages')}>
      <ul className="page-numbers">
        {facts.page > 1 && (
          <li>
            <a className="prev page-numbers" rel="prev" href={pageUrl(facts.page - 1)}>
              {t('Previous')}
            </a>
          </li>
        )}
        {pageNumbers(facts.page, facts.pageCount).map((number, place) => (
          <li key={number ?? `gap-${place}`}>
            {number === null ? (
              <span className="page-numbers dots">…</span>
            ) : number === facts.page ? (
              <span aria-current="page" className="page-numbers current">
                {number}
              </span>
            ) : (
              <a className="page-numbers" aria-label={t('Page %s', number)} href={pageUrl(number)}>
                {number}
              </a>
            )}
          </li>
        ))}
        {facts.page < facts.pageCount && (
          <li>
            <a className="next page-numbers" rel="next" href={pageUrl(facts.page + 1)}>
              {t('Next')}
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}
