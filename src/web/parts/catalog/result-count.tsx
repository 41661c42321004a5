import type { ListingFacts, Sorting } from '#shop/catalog/catalog-facts.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'

/** The number of products, and which of them are on this page: a live region that scripts refresh. */
export function ResultCount({ facts }: { facts: ListingFacts }) {
  const shop = useShop()
  const sorted = facts.total > 1 && facts.sorting !== 'menu_order' && facts.sorting !== 'relevance'
  return (
    <p
      className="woocommerce-result-count"
      role="status"
      aria-relevant="all"
      data-is-sorted-by={sorted ? 'true' : undefined}
    >
      {countText(facts, shop)}
      {sorted && <span className="screen-reader-text">{sortedText(facts.sorting, shop.t)}</span>}
    </p>
  )
}

type Translate = ShopContextValue['t']

function countText({ total, page, perPage }: ListingFacts, { t, n }: Pick<ShopContextValue, 't' | 'n'>): string {
  if (total === 1) return t('Showing the single result')
  if (total <= perPage) return n(total, 'Showing all %s results', 'Showing all %s results')
  const first = (page - 1) * perPage + 1
  return t('Showing %1$s–%2$s of %3$s results', first, Math.min(total, page * perPage), total)
}

function sortedText(sorting: Sorting, t: Translate): string {
  switch (sorting) {
    case 'popularity':
      return t('Sorted by popularity')
    case 'rating':
      return t('Sorted by average rating')
    case 'date':
      return t('Sorted by latest')
    case 'price':
      return t('Sorted by price: low to high')
    case 'price-desc':
      return t('Sorted by price: high to low')
    default:
      return ''
  }
}
