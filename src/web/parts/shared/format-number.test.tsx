import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { dimensionsText, weightText } from '../catalog/product-attributes.tsx'
import { StarRating } from '../catalog/star-rating.tsx'
import { ShopProvider } from './shop-context.tsx'

it.each([
  ['en-US', '1.25 kg', '4 × 2.5 × 12 cm', '4.50'],
  ['de-CH', '1.25 kg', '4 × 2.5 × 12 cm', '4.50'],
  ['fr-FR', '1,25 kg', '4 × 2,5 × 12 cm', '4,50'],
  ['ja-JP', '1.25 kg', '4 × 2.5 × 12 cm', '4.50'],
  ['ar-EG', '1.25 كغم', '4 × 2.5 × 12 سم', '4.50'],
])('measures and ratings in %s are written as people there write them', (language, weight, dimensions, rating) => {
  expect(weightText({ weightGrams: 1250, dimensionsMm: null }, language)).toBe(weight)
  const dimensionsMm = { length: 40, width: 25, height: 120 }
  expect(dimensionsText({ weightGrams: null, dimensionsMm }, language)).toBe(dimensions)
  const shop = aShop({ language })
  const stars = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <StarRating average={4.5} count={2} />
    </ShopProvider>,
  )
  expect(stars).toContain(`Rated ${rating} out of 5`)
})
