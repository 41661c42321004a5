import { urls } from '#contract/shared/urls.ts'
import type { AttributeFacts, SwatchFacts } from '#shop/catalog/catalog-facts.ts'
import { pictureSet, renditionWidth } from '../shared/picture.tsx'

/**
 * The options of an attribute as colours or images. They belong to no form, so that no value is submitted twice: the
 * select after them holds the choice. Only one of the two is visible and accessible: the swatches with scripts, else
 * the select.
 */
export function Swatches({
  attribute: { slug, options, defaultOption },
  labelledBy,
}: {
  attribute: AttributeFacts
  labelledBy: string
}) {
  return (
    <div className="swatches" role="radiogroup" aria-labelledby={labelledBy}>
      {options.map(({ value, label, swatch }) => (
        <label key={value} className="swatch" title={label}>
          <input
            type="radio"
            form=""
            name={`${slug}-swatch`}
            value={value}
            aria-label={label}
            defaultChecked={value === defaultOption}
          />
          {swatch && <SwatchDot swatch={swatch} />}
        </label>
      ))}
    </div>
  )
}

/** A colour is an SVG's `color`, because the content security policy blocks inline styles. */
export function SwatchDot({ swatch }: { swatch: SwatchFacts }) {
  if (swatch.kind === 'colour') return <svg className="swatch-dot" color={swatch.colour} aria-hidden="true" />
  const { image } = swatch
  return (
    <img
      className="swatch-dot"
      src={urls.media(image.hash, renditionWidth(image, 80), 'webp')}
      srcSet={pictureSet(image, 'webp')}
      sizes="2.25rem"
      width={image.width}
      height={image.height}
      alt=""
      loading="lazy"
    />
  )
}
