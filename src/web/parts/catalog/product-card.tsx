import { useContext } from 'react'
import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { PriceHtml } from '../currency/price.tsx'
import { Picture } from '../shared/picture.tsx'
import { PlaceholderPart, PlaceholderPartsContext } from '../shared/placeholders.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { LoopButton } from './loop-button.tsx'
import { productClasses } from './product-classes.ts'
import { StarRating } from './star-rating.tsx'

/** The first cards of a list are visible without scrolling in a wide window. */
const ABOVE_THE_FOLD = 4

export type ProductCardProps = {
  product: ProductCardFacts
  /** The number of columns, and the column of the card. */
  columns: number
  column: number
  /** Priority of its image. */
  priority: 'first' | 'visible' | 'later'
}

/** A product in a list. It depends on nothing else of a page, so it is the same on all pages. */
export function ProductCard({ product, columns, column, priority }: ProductCardProps) {
  const { t } = useShop()
  return (
    <li className={productClasses(product, { column, columns })}>
      <a className="woocommerce-LoopProduct-link woocommerce-loop-product__link" href={product.url}>
        {product.onSale && <span className="onsale">{t('Sale!')}</span>}
        {product.stock === 'outofstock' && <span className="badge sold-out">{t('Out of stock')}</span>}
        {product.image ? (
          <Picture
            image={product.image}
            className="attachment-woocommerce_thumbnail size-woocommerce_thumbnail"
            sizes={
              columns > 3
                ? '(min-width: 80rem) 19rem, (min-width: 64rem) 23vw, (min-width: 48rem) 31vw, 46vw'
                : '(min-width: 80rem) 20rem, (min-width: 64rem) 24vw, (min-width: 48rem) 31vw, 46vw'
            }
            priority={priority}
            decorative
          />
        ) : (
          <span className="picture picture-none" />
        )}
        <h2 className="woocommerce-loop-product__title">{product.name}</h2>
        <StarRating average={product.averageRating} count={product.ratingCount} />
        <span className="price">
          <PriceHtml price={product.price} />
        </span>
      </a>
      <LoopButton product={product} />
    </li>
  )
}

/** A list of products in the shop's grid. */
export function ProductGrid({
  products,
  columns = 4,
  belowFold = false,
}: {
  products: readonly ProductCardFacts[]
  columns?: number
  /** The list stands below the first screen, so even its first images are lazy. */
  belowFold?: boolean
}) {
  const standIns = useContext(PlaceholderPartsContext)
  const cards = products.map((product, position): ProductCardProps => {
    const priority = belowFold || position >= ABOVE_THE_FOLD ? 'later' : position === 0 ? 'first' : 'visible'
    return { product, columns, column: position % columns, priority }
  })
  return (
    <ul className={`products columns-${columns}`}>
      {standIns ? (
        <PlaceholderPart of={standIns.cards(cards)} />
      ) : (
        cards.map((card) => <ProductCard key={card.product.id} {...card} />)
      )}
    </ul>
  )
}
