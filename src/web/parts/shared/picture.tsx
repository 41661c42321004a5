import { urls } from '#contract/shared/urls.ts'
import type { ImageFacts } from '#shop/catalog/catalog-facts.ts'
import { classNames } from './class-names.ts'

/** Width of the gallery on a product page. */
export const GALLERY_SIZES = '(min-width: 80rem) 42rem, (min-width: 56rem) 56vw, (min-width: 40rem) 48vw, 92vw'

/** Returns the `srcset` of a format. */
export function pictureSet(image: ImageFacts, format: 'avif' | 'webp'): string {
  return image.widths.map((width) => `${urls.media(image.hash, width, format)} ${width}w`).join(', ')
}

/** Returns the smallest rendition of at least `width` pixels, else the largest one. */
export function renditionWidth(image: ImageFacts, width: number): number {
  return image.widths.find((candidate) => candidate >= width) ?? image.widths.at(-1) ?? image.width
}

export type PictureProps = {
  image: ImageFacts
  sizes: string
  /** Width of `src` for a browser without `srcset`. */
  fallbackWidth?: number
  /** Visible without scrolling: `first` is the largest of them and is fetched first. */
  priority?: 'first' | 'visible' | 'later'
  className?: string
  /** The image repeats the text beside it. */
  decorative?: boolean
  imageAttributes?: Readonly<Record<`data-${string}`, string | number>>
}

/**
 * An image with reserved space and a tint while it loads. The tint is an SVG's `color` attribute, because the content
 * security policy blocks inline styles.
 */
export function Picture({
  image,
  sizes,
  fallbackWidth = 640,
  priority = 'later',
  className,
  decorative = false,
  imageAttributes,
}: PictureProps) {
  return (
    <span className="picture">
      <svg className="picture-tint" color={image.placeholder} aria-hidden="true" />
      <picture>
        {image.avif && <source type="image/avif" srcSet={pictureSet(image, 'avif')} sizes={sizes} />}
        <img
          className={classNames(className) || undefined}
          src={urls.media(image.hash, renditionWidth(image, fallbackWidth), 'webp')}
          srcSet={pictureSet(image, 'webp')}
          sizes={sizes}
          width={image.width}
          height={image.height}
          alt={decorative ? '' : image.alt}
          loading={priority === 'later' ? 'lazy' : undefined}
          decoding={priority === 'first' ? undefined : 'async'}
          fetchPriority={priority === 'first' ? 'high' : undefined}
          {...imageAttributes}
        />
      </picture>
    </span>
  )
}
