import type { ProductFacts } from '#shop/catalog-facts.ts'
import { ProductTabList } from '#web/islands/catalog/product-tab-list.tsx'
import { Island } from '#web/islands/island.tsx'
import { Html } from './html.tsx'
import { attributeRows, ProductAttributes } from './product-attributes.tsx'
import { useShop } from './shop-context.tsx'

/** What is told at length about a product. Without scripts the panels stand one below the other. */
export function Tabs({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  const panels = [
    product.description && {
      key: 'description',
      label: t('Description'),
      content: <Html html={product.description} />,
    },
    attributeRows(product, t).length > 0 && {
      key: 'additional_information',
      label: t('Additional information'),
      content: <ProductAttributes product={product} />,
    },
  ].filter((panel) => panel !== false && panel !== '')
  if (panels.length === 0) return null
  return (
    <div className="woocommerce-tabs wc-tabs-wrapper">
      <Island
        name="product-tab-list"
        when="interaction"
        component={ProductTabList}
        props={{ tabs: panels.map(({ key, label }) => ({ key, label })), label: t('About this product') }}
      />
      {panels.map(({ key, content }, place) => (
        <div
          key={key}
          className={`woocommerce-Tabs-panel woocommerce-Tabs-panel--${key} panel entry-content wc-tab`}
          id={`tab-${key}`}
          role="tabpanel"
          aria-labelledby={`tab-title-${key}`}
          hidden={place > 0 || undefined}
        >
          {content}
        </div>
      ))}
    </div>
  )
}
