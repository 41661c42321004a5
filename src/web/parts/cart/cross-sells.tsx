import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { ProductGrid } from '../catalog/product-card.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Products that merchants sell together with the products in the cart. */
export function CrossSells({ products }: { products: readonly ProductCardFacts[] }) {
  const { t } = useShop()
  if (products.length === 0) return null
  return (
    <div className="cross-sells">
      <h2>{t('Goes well with your cart')}</h2>
      <ProductGrid products={products} columns={2} belowFold />
    </div>
  )
}
