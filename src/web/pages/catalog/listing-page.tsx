import type { CategoryFacts, ListingFacts, ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { CategoryTiles } from '../../parts/catalog/category-tiles.tsx'
import { ChosenFilters, Facets, FilterButton, offeredFacets } from '../../parts/catalog/facets.tsx'
import { OrderingForm, type OtherParameters } from '../../parts/catalog/ordering-form.tsx'
import { Pagination } from '../../parts/catalog/pagination.tsx'
import { ProductGrid } from '../../parts/catalog/product-card.tsx'
import { ResultCount } from '../../parts/catalog/result-count.tsx'
import { SearchForm } from '../../parts/catalog/search-form.tsx'
import { classNames } from '../../parts/shared/class-names.ts'
import { Html } from '../../parts/shared/html.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { Breadcrumbs } from '../../parts/theme/breadcrumbs.tsx'

export type ListingPageProps = {
  facts: ListingFacts
  /** Suggestions after an empty result. */
  instead?: readonly ProductCardFacts[]
  others?: OtherParameters
}

/** The shop, a category, a tag or a search result, with the same cards. */
export function ListingPage({ facts, instead = [], others = [] }: ListingPageProps) {
  const { t } = useShop()
  const filtered = offeredFacets(facts.facets).length > 0
  const found = facts.products.length > 0
  return (
    <div className="listing">
      {facts.kind !== 'shop' && <Breadcrumbs steps={facts.ancestors} current={facts.title} />}
      <header className="woocommerce-products-header">
        <h1 className="woocommerce-products-header__title page-title">
          <Title facts={facts} />
        </h1>
        {facts.description && <Html className="term-description" html={facts.description} />}
        {facts.kind === 'search' && <SearchForm id="search-again" term={facts.searchTerm} />}
        <Correction facts={facts} />
      </header>
      <CategoriesToGoOnTo facts={facts} />
      <div className={classNames('listing-body', filtered && 'listing-body--filtered')}>
        <Facets facts={facts} />
        <div className="listing-results" id="results" tabIndex={-1}>
          <div className="listing-tools">
            <FilterButton facts={facts} />
            {found && <ResultCount facts={facts} />}
            {found && <OrderingForm facts={facts} others={others} />}
          </div>
          <ChosenFilters facts={facts} />
          {found ? (
            <>
              <ProductGrid products={facts.products} columns={filtered ? 3 : 4} />
              <Pagination facts={facts} />
            </>
          ) : (
            <NothingFound facts={facts} />
          )}
        </div>
      </div>
      {!found && instead.length > 0 && (
        <section className="home-section">
          <h2>{t('What others like')}</h2>
          <ProductGrid products={instead} belowFold />
        </section>
      )}
    </div>
  )
}

function Title({ facts: { kind, searchTerm, title } }: { facts: ListingFacts }) {
  const { t } = useShop()
  if (kind !== 'search') return title
  return searchTerm ? t('Results for “%s”', searchTerm) : t('Search')
}

/** The note that another term was searched than the typed one. */
function Correction({ facts: { correctedTerm, searchTerm } }: { facts: ListingFacts }) {
  const { t } = useShop()
  if (correctedTerm === null) return null
  return (
    <p className="search-correction" role="status">
      {t('Nothing was found for “%1$s”, so these are results for “%2$s”.', searchTerm, correctedTerm)}
    </p>
  )
}

/** The subcategories: as images within a category that has one for each, else as a line of links. */
function CategoriesToGoOnTo({ facts: { kind, categories } }: { facts: ListingFacts }) {
  if (categories.length === 0 || kind === 'search' || kind === 'tag') return null
  const pictured = kind === 'category' && categories.every(({ image }) => image !== null)
  return pictured ? <CategoryTiles categories={categories} small /> : <CategoryLinks categories={categories} />
}

function CategoryLinks({ categories }: { categories: readonly CategoryFacts[] }) {
  const { t, path } = useShop()
  return (
    <nav className="category-links" aria-label={t('Categories')}>
      <ul>
        {categories.map((category) => (
          <li key={category.id}>
            <a href={path(category.url)}>
              {category.name} <span className="count">{category.productCount}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NothingFound({ facts }: { facts: ListingFacts }) {
  const { menu, t } = useShop()
  const asked = facts.kind === 'search' && facts.searchTerm !== ''
  // The shop and its categories list theirs above.
  const lost = facts.kind === 'search' || facts.kind === 'tag'
  const popular = lost ? menu.filter(({ parentId }) => parentId === null).slice(0, 8) : []
  return (
    <div className="nothing-found">
      <p className="woocommerce-no-products-found woocommerce-info" role="status">
        {asked
          ? t('No products were found matching “%s”.', facts.searchTerm)
          : t('No products were found matching your selection.')}
      </p>
      {facts.clearUrl && (
        <p>
          <a className="button" href={facts.clearUrl} rel="nofollow">
            {t('Clear all filters')}
          </a>
        </p>
      )}
      {asked && <p>{t('Check the spelling, try a more general word, or look around here:')}</p>}
      {popular.length > 0 && <CategoryLinks categories={popular} />}
    </div>
  )
}
