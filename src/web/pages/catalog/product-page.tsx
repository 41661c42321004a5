import type { ProductCardFacts, ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { ProductGrid } from '../../parts/catalog/product-card.tsx'
import { productClasses } from '../../parts/catalog/product-classes.ts'
import { ProductForm } from '../../parts/catalog/product-form.tsx'
import { ProductGallery } from '../../parts/catalog/product-gallery.tsx'
import { ProductMeta } from '../../parts/catalog/product-meta.tsx'
import { Tabs } from '../../parts/catalog/product-tabs.tsx'
import { StarRating } from '../../parts/catalog/star-rating.tsx'
import { PriceHtml } from '../../parts/currency/price.tsx'
import { Html } from '../../parts/shared/html.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { Breadcrumbs } from '../../parts/theme/breadcrumbs.tsx'

/** A product with all that is needed to choose and buy it. */
export function ProductPage({ facts: product }: { facts: ProductFacts }) {
  const { t } = useShop()
  return (
    <>
      <Breadcrumbs steps={product.ancestors} current={product.name} />
      <div id={`product-${product.id}`} className={productClasses(product)}>
        <div className="product-stage">
          <ProductGallery product={product} />
          <div className="summary entry-summary">
            {product.onSale && <span className="onsale">{t('Sale!')}</span>}
            <h1 className="product_title entry-title">{product.name}</h1>
            {product.ratingCount > 0 && (
              <div className="woocommerce-product-rating">
                <StarRating average={product.averageRating} count={product.ratingCount} />
              </div>
            )}
            <p className="price">
              <PriceHtml price={product.price} />
            </p>
            {product.shortDescription && (
              <Html className="woocommerce-product-details__short-description" html={product.shortDescription} />
            )}
            <ProductForm product={product} />
            <ProductMeta product={product} />
          </div>
          <Tabs product={product} />
        </div>
        <More className="up-sells upsells products" title={t('You may also like…')} products={product.upsells} />
        <More className="related products" title={t('Related products')} products={product.related} />
      </div>
    </>
  )
}

function More({
  className,
  title,
  products,
}: {
  className: string
  title: string
  products: readonly ProductCardFacts[]
}) {
  if (products.length === 0) return null
  return (
    <section className={className}>
      <h2>{title}</h2>
      <ProductGrid products={products} belowFold />
    </section>
  )
}
