import { urls } from '#contract/shared/urls.ts'
import type { ImageFacts, ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { BareIsland } from '../../islands/island.tsx'
import { GALLERY_SIZES, Picture, renditionWidth } from '../shared/picture.tsx'
import { useShop } from '../shared/shop-context.tsx'

/**
 * All images of a product: a strip to swipe, with thumbnails that link to each; each opens in full. It consists of
 * links and scrolling, so that it works without its script.
 */
export function ProductGallery({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  const images = (product.images.length > 0 ? product.images : product.image ? [product.image] : []).map((image) =>
    image.alt ? image : { ...image, alt: product.name },
  )
  const [first] = images
  return (
    <BareIsland name="product-gallery" when="presence">
      <div
        className={`woocommerce-product-gallery woocommerce-product-gallery--${first ? 'with' : 'without'}-images woocommerce-product-gallery--columns-4 images`}
        data-columns="4"
        data-count={images.length}
      >
        <div className="woocommerce-product-gallery__wrapper">
          {images.map((image, place) => (
            <Slide key={image.hash} image={image} place={place} />
          ))}
          {!first && (
            <div className="woocommerce-product-gallery__image--placeholder">
              <span className="picture picture-none" role="img" aria-label={t('Awaiting product image')} />
            </div>
          )}
        </div>
        {first && (
          <a className="woocommerce-product-gallery__trigger" href={largest(first).src}>
            <span className="screen-reader-text">{t('View images in full screen')}</span>
            <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5" />
            </svg>
          </a>
        )}
        {images.length > 1 && (
          <ol className="flex-control-nav flex-control-thumbs">
            {images.map((image, place) => (
              <Thumbnail key={image.hash} image={image} place={place} count={images.length} />
            ))}
          </ol>
        )}
        {first && <FullView name={product.name} alone={images.length === 1} />}
      </div>
    </BareIsland>
  )
}

const slideId = (place: number) => `picture-${place + 1}`

function Slide({ image, place }: { image: ImageFacts; place: number }) {
  const { src, width, height } = largest(image)
  return (
    <div
      className="woocommerce-product-gallery__image"
      id={slideId(place)}
      data-thumb={thumbnail(image)}
      data-thumb-alt={image.alt}
    >
      <a href={src}>
        <Picture
          image={image}
          className={place === 0 ? 'wp-post-image' : ''}
          sizes={GALLERY_SIZES}
          fallbackWidth={960}
          priority={place === 0 ? 'first' : 'later'}
          imageAttributes={{
            'data-caption': '',
            'data-src': src,
            'data-large_image': src,
            'data-large_image_width': width,
            'data-large_image_height': height,
          }}
        />
      </a>
    </div>
  )
}

/** One plain image, since scripts that show another variation change only its `src`. */
function Thumbnail({ image, place, count }: { image: ImageFacts; place: number; count: number }) {
  const { t } = useShop()
  return (
    <li>
      <a
        href={`#${slideId(place)}`}
        aria-label={t('Image %1$s of %2$s', place + 1, count)}
        aria-current={place === 0 || undefined}
      >
        <img
          className={place === 0 ? 'flex-active' : undefined}
          src={thumbnail(image)}
          width="80"
          height="100"
          alt=""
          decoding="async"
          loading="lazy"
        />
      </a>
    </li>
  )
}

/** Closed and without its images until a script opens it. */
function FullView({ name, alone }: { name: string; alone: boolean }) {
  const { t } = useShop()
  return (
    <dialog className="gallery-view" aria-label={t('Images of %s', name)}>
      <div className="gallery-view__strip" />
      <p className="gallery-view__count" role="status" />
      <button type="button" className="gallery-view__zoom" aria-pressed="false" aria-label={t('Zoom in')}>
        <ViewIcon path="M16 16l5 5M11 8v6M8 11h6M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14" />
      </button>
      <button type="button" className="gallery-view__close" aria-label={t('Close')}>
        <ViewIcon path="M5 5l14 14M19 5L5 19" />
      </button>
      {!alone && (
        <>
          <button type="button" className="gallery-view__previous" aria-label={t('Previous image')}>
            <ViewIcon path="M15 4l-8 8l8 8" />
          </button>
          <button type="button" className="gallery-view__next" aria-label={t('Next image')}>
            <ViewIcon path="M9 4l8 8l-8 8" />
          </button>
        </>
      )}
    </dialog>
  )
}

function ViewIcon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

function thumbnail(image: ImageFacts): string {
  return urls.media(image.hash, renditionWidth(image, 100), 'webp')
}

function largest(image: ImageFacts) {
  const width = renditionWidth(image, Number.POSITIVE_INFINITY)
  return {
    src: urls.media(image.hash, width, 'webp'),
    width,
    height: Math.round((width * image.height) / image.width),
  }
}
