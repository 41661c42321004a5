import type { ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { BareIsland } from '../../islands/island.tsx'
import { Html } from '../shared/html.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { attributeRows, ProductAttributes } from './product-attributes.tsx'

/** The tabs of a product. Without scripts the panels are stacked. */
export function Tabs({ product }: { product: ProductFacts }) {
  const shop = useShop()
  const { t } = shop
  const panels = [
    product.description && {
      key: 'description',
      label: t('Description'),
      content: <Html html={product.description} />,
    },
    attributeRows(product, shop).length > 0 && {
      key: 'additional_information',
      label: t('Additional information'),
      content: <ProductAttributes product={product} />,
    },
  ].filter((panel) => panel !== false && panel !== '')
  if (panels.length === 0) return null
  return (
    <div className="woocommerce-tabs wc-tabs-wrapper">
      <BareIsland name="product-tab-list" when="presence">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the public interface has a list here. */}
        <ul className="tabs wc-tabs" role="tablist" aria-label={t('About this product')}>
          {panels.map(({ key, label }, place) => (
            <li
              key={key}
              className={place === 0 ? `${key}_tab active` : `${key}_tab`}
              id={`tab-title-${key}`}
              role="presentation"
            >
              <a
                href={`#tab-${key}`}
                role="tab"
                aria-controls={`tab-${key}`}
                aria-selected={place === 0}
                tabIndex={place === 0 ? 0 : -1}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </BareIsland>
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
