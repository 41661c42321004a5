import type { ListingFacts, Sorting } from '#shop/catalog/catalog-facts.ts'
import { CachedPart } from '../shared/placeholders.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { carriedParameters, formPath } from './listing-parameters.ts'

/** Query parameters that are unknown here: another order keeps them. */
export type OtherParameters = readonly (readonly [name: string, value: string])[]

/** The sort order: submitted when it changes, and by its own button without scripts. */
export function OrderingForm({ facts, others = [] }: { facts: ListingFacts; others?: OtherParameters }) {
  const { t, path } = useShop()
  return (
    <form className="woocommerce-ordering" method="get" action={path(formPath(facts))}>
      <CachedPart name={`order ${facts.sorting} of ${facts.sortings.join(' ')}`}>
        <Sortings sortings={facts.sortings} chosen={facts.sorting} />
      </CachedPart>
      <input type="hidden" name="paged" value="1" />
      {[...carriedParameters(facts, ['min_price', 'max_price']), ...others].map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <noscript>
        <button type="submit" className="button">
          {t('Sort')}
        </button>
      </noscript>
    </form>
  )
}

function Sortings({ sortings, chosen }: { sortings: readonly Sorting[]; chosen: Sorting }) {
  const { t } = useShop()
  const labels: Record<Sorting, string> = {
    menu_order: t('Default sorting'),
    relevance: t('Relevance'),
    popularity: t('Sort by popularity'),
    rating: t('Sort by average rating'),
    date: t('Sort by latest'),
    price: t('Sort by price: low to high'),
    'price-desc': t('Sort by price: high to low'),
  }
  return (
    <select name="orderby" className="orderby" aria-label={t('Shop order')} defaultValue={chosen}>
      {sortings.map((sorting) => (
        <option key={sorting} value={sorting}>
          {labels[sorting]}
        </option>
      ))}
    </select>
  )
}
