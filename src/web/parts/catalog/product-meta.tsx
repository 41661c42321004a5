import { comma } from '#domain/translation/list-separator.ts'
import type { ProductFacts, TermFacts } from '#shop/catalog/catalog-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

/** SKU, categories and tags of a product. */
export function ProductMeta({ product }: { product: ProductFacts }) {
  const { t, n, dir } = useShop()
  const hasSku = product.sku !== '' || product.type === 'variable'
  return (
    <div className="product_meta">
      {hasSku && (
        <span className="sku_wrapper">
          {t('SKU:')}{' '}
          <span
            className="sku"
            translate={product.sku ? 'no' : undefined}
            dir={product.sku && dir === 'rtl' ? 'auto' : undefined}
          >
            {product.sku || t('N/A')}
          </span>
        </span>
      )}
      <Terms
        className="posted_in"
        label={n(product.categories.length, 'Category:', 'Categories:')}
        terms={product.categories}
      />
      <Terms className="tagged_as" label={n(product.tags.length, 'Tag:', 'Tags:')} terms={product.tags} />
    </div>
  )
}

function Terms({ className, label, terms }: { className: string; label: string; terms: readonly TermFacts[] }) {
  const { language } = useShop()
  if (terms.length === 0) return null
  return (
    <span className={className}>
      {label}{' '}
      {terms.map((term, place) => (
        <span key={term.url}>
          {place > 0 && comma(language)}
          <a href={term.url} rel="tag">
            {term.name}
          </a>
        </span>
      ))}
    </span>
  )
}
