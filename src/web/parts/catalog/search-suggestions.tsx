import type { ProductCardFacts, SuggestionFacts } from '#shop/catalog/catalog-facts.ts'
import { PriceHtml } from '../currency/price.tsx'
import { Picture } from '../shared/picture.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Id of the list that the search drawer's field controls. */
export const suggestionsId = 'search-suggestions'

/**
 * The suggestions under the search field: a list of links. The field keeps the focus, so the links are not in the tab
 * order and have ids for `aria-activedescendant`. The last text is announced.
 */
export function SearchSuggestions({ facts }: { facts: SuggestionFacts }) {
  const { t, n } = useShop()
  const { term, url, total, products, categories } = facts
  const found = products.length + categories.length
  if (found === 0) {
    return (
      <p className="search-suggestions__none" data-announcement="">
        {t('Nothing matches “%s” so far.', term)}
      </p>
    )
  }
  return (
    <>
      <div id={suggestionsId} role="listbox" aria-label={t('Suggestions')}>
        {categories.length > 0 && (
          <div className="search-suggestions__categories">
            {categories.map(({ name, slug, url: address }) => (
              <a
                key={slug}
                role="option"
                id={`suggested-category-${slug}`}
                aria-selected="false"
                tabIndex={-1}
                href={address}
              >
                {name}
              </a>
            ))}
          </div>
        )}
        {products.length > 0 && (
          <div className="search-suggestions__products">
            {products.map((product) => (
              <Suggestion key={product.id} product={product} />
            ))}
          </div>
        )}
        {total > products.length && (
          <a
            className="search-suggestions__all"
            role="option"
            id="suggested-all"
            aria-selected="false"
            tabIndex={-1}
            href={url}
          >
            {n(total, 'See all %s results', 'See all %s results')}
          </a>
        )}
      </div>
      <p className="screen-reader-text" data-announcement="">
        {n(found, '%s suggestion', '%s suggestions')}
      </p>
    </>
  )
}

function Suggestion({ product }: { product: ProductCardFacts }) {
  return (
    <a role="option" id={`suggested-${product.id}`} aria-selected="false" tabIndex={-1} href={product.url}>
      {product.image ? (
        <Picture image={product.image} sizes="3.5rem" fallbackWidth={160} decorative />
      ) : (
        <span className="picture picture-none" />
      )}
      <span className="search-suggestions__name">{product.name}</span>
      <span className="price">
        <PriceHtml price={product.price} />
      </span>
    </a>
  )
}
