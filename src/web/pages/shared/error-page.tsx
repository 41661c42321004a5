import { urls } from '#contract/shared/urls.ts'
import type { ProductCardFacts, TermFacts } from '#shop/catalog/catalog-facts.ts'
import { ProductGrid } from '../../parts/catalog/product-card.tsx'
import { SearchForm } from '../../parts/catalog/search-form.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The facts for help on a missing page. */
export type NotFoundHelpFacts = {
  /** The search term guessed from the URL. */
  term: string
  products: readonly ProductCardFacts[]
  categories: readonly TermFacts[]
  newest: readonly ProductCardFacts[]
}

/** The page for a missing (404), forbidden (403) or failed page. The id leads to the log entry. */
export function ErrorPage({
  status,
  message,
  requestId,
  title,
  lost = null,
}: {
  status: number
  message: string
  requestId: string
  title?: string
  lost?: NotFoundHelpFacts | null
}) {
  const { t } = useShop()
  return (
    <div className="lost">
      <div className="lost__words">
        <p className="error-status" aria-hidden="true">
          {status}
        </p>
        <h1 className="entry-title">{title ?? (status === 404 ? t('Page not found') : t('Something went wrong'))}</h1>
        <p>{message}</p>
        {status === 404 && <SearchForm id="search-instead" term={lost?.term ?? ''} placeholder={t('Search')} />}
        {status >= 500 && (
          <p className="error-id">{t('If you contact us about this, please mention the number %s.', requestId)}</p>
        )}
        <p>
          <a className="button alt" href={urls.shop()}>
            {t('Go to the shop')}
          </a>
        </p>
      </div>
      {lost && <Help lost={lost} />}
    </div>
  )
}

function Help({ lost: { products, categories, newest } }: { lost: NotFoundHelpFacts }) {
  const { menu, t } = useShop()
  const top = menu.filter(({ parentId }) => parentId === null).slice(0, 8)
  const places = categories.length > 0 ? categories : top
  return (
    <>
      {places.length > 0 && (
        <nav className="category-links" aria-label={t('Categories')}>
          <ul>
            {places.map(({ url, name }) => (
              <li key={url}>
                <a href={url}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {products.length > 0 && (
        <Shelf
          title={products.length === 1 ? t('Did you mean this?') : t('Did you mean one of these?')}
          products={products}
        />
      )}
      {newest.length > 0 && <Shelf title={t('New in the shop')} products={newest} />}
    </>
  )
}

function Shelf({ title, products }: { title: string; products: readonly ProductCardFacts[] }) {
  return (
    <section className="home-section">
      <h2>{title}</h2>
      <ProductGrid products={products} belowFold />
    </section>
  )
}
