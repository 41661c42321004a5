import { urls } from '#contract/urls.ts'
import type { ImageFacts, ProductFacts } from '#shop/catalog-facts.ts'
import { GALLERY_SIZES, Picture, renditionWidth } from './picture.tsx'
import { useShop } from './shop-context.tsx'

/** All pictures of a product: a strip to swipe on a phone, a composed page on a desk; each opens in full size. */
export function ProductGallery({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  const images = product.images.length > 0 ? product.images : product.image ? [product.image] : []
  return (
    <div
      className={`woocommerce-product-gallery woocommerce-product-gallery--${images.length > 0 ? 'with' : 'without'}-images woocommerce-product-gallery--columns-4 images`}
      data-columns="4"
      data-count={images.length}
    >
      <div className="woocommerce-product-gallery__wrapper">
        {images.length === 0 && (
          <div className="woocommerce-product-gallery__image--placeholder">
            <span className="picture picture-none" role="img" aria-label={t('Awaiting product image')} />
          </div>
        )}
        {images.map((image, place) => (
          <GalleryImage key={image.hash} image={image} name={product.name} first={place === 0} />
        ))}
      </div>
    </div>
  )
}

function GalleryImage({ image, name, first }: { image: ImageFacts; name: string; first: boolean }) {
  const largest = renditionWidth(image, Number.POSITIVE_INFINITY)
  const full = urls.media(image.hash, largest, 'webp')
  return (
    <div
      className="woocommerce-product-gallery__image"
      data-thumb={urls.media(image.hash, renditionWidth(image, 100), 'webp')}
      data-thumb-alt={image.alt}
    >
      <a href={full}>
        <Picture
          image={image.alt ? image : { ...image, alt: name }}
          className={first ? 'wp-post-image' : ''}
          sizes={GALLERY_SIZES}
          fallbackWidth={960}
          priority={first ? 'first' : 'later'}
          imageAttributes={{
            'data-caption': '',
            'data-src': full,
            'data-large_image': full,
            'data-large_image_width': largest,
            'data-large_image_height': Math.round((largest * image.height) / image.width),
          }}
        />
      </a>
    </div>
  )
}
