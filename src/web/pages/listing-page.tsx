import { urls } from '#contract/urls.ts'
import type { ListingFacts } from '#shop/catalog-facts.ts'
import { Breadcrumbs } from '../parts/breadcrumbs.tsx'
import { Html } from '../parts/html.tsx'
import { OrderingForm } from '../parts/ordering-form.tsx'
import { Pagination } from '../parts/pagination.tsx'
import { ProductGrid } from '../parts/product-card.tsx'
import { ResultCount } from '../parts/result-count.tsx'
import { useShop } from '../parts/shop-context.tsx'

/** The shop, a category, a tag or the answer to a search: always the same cards. */
export function ListingPage({ facts }: { facts: ListingFacts }) {
  return (
    <div className="listing">
      {facts.kind !== 'shop' && <Breadcrumbs steps={facts.ancestors} current={facts.title} />}
      <header className="woocommerce-products-header">
        <h1 className="woocommerce-products-header__title page-title">{facts.title}</h1>
        {facts.description && <Html className="term-description" html={facts.description} />}
      </header>
      <CategoryLinks facts={facts} />
      {facts.products.length === 0 ? (
        <NothingFound facts={facts} />
      ) : (
        <>
          <div className="listing-tools">
            <ResultCount facts={facts} />
            <OrderingForm facts={facts} />
          </div>
          <ProductGrid products={facts.products} />
          <Pagination facts={facts} />
        </>
      )}
    </div>
  )
}

function CategoryLinks({ facts }: { facts: ListingFacts }) {
  const { t } = useShop()
  if (facts.categories.length === 0 || facts.kind === 'search' || facts.kind === 'tag') return null
  return (
    <nav className="category-links" aria-label={t('Categories')}>
      <ul>
        {facts.categories.map((category) => (
          <li key={category.id}>
            <a href={category.url}>
              {category.name} <span className="count">{category.productCount}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NothingFound({ facts }: { facts: ListingFacts }) {
  const { t } = useShop()
  return (
    <div className="nothing-found">
      <p className="woocommerce-no-products-found woocommerce-info" role="status">
        {facts.kind === 'search'
          ? t('No products were found matching “%s”.', facts.searchTerm)
          : t('No products were found matching your selection.')}
      </p>
      <form className="woocommerce-product-search" action={urls.home()} method="get">
        <label className="screen-reader-text" htmlFor="search-again">
          {t('Search for:')}
        </label>
        <input type="search" id="search-again" name="s" defaultValue={facts.searchTerm} className="input-text" />
        <input type="hidden" name="post_type" value="product" />
        <button type="submit" className="button">
          {t('Search')}
        </button>
      </form>
    </div>
  )
}
