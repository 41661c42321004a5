import type { ProductCardFacts, ProductFacts } from '#shop/catalog-facts.ts'
import { Breadcrumbs } from '../parts/breadcrumbs.tsx'
import { Html } from '../parts/html.tsx'
import { PriceHtml } from '../parts/price.tsx'
import { ProductGrid } from '../parts/product-card.tsx'
import { productClasses } from '../parts/product-classes.ts'
import { ProductForm } from '../parts/product-form.tsx'
import { ProductGallery } from '../parts/product-gallery.tsx'
import { ProductMeta } from '../parts/product-meta.tsx'
import { useShop } from '../parts/shop-context.tsx'
import { StarRating } from '../parts/star-rating.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** One product with everything needed to choose and buy it. */
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
