import { writtenNumber } from '../shared/format-number.ts'
import { useShop } from '../shared/shop-context.tsx'

/** Stars, with a sentence for screen readers. */
export function StarRating({ average, count }: { average: number; count: number }) {
  const { t, language } = useShop()
  if (count === 0) return null
  return (
    <span className="star-rating" role="img" aria-label={t('Rated %s out of 5', writtenNumber(average, language, 2))}>
      <span data-stars={Math.round(average * 2)} />
    </span>
  )
}
