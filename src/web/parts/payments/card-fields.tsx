import { urls } from '#contract/shared/urls.ts'
import { Island } from '../../islands/island.tsx'
import { CardFields } from '../../islands/payments/card-fields.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** The fields of a new card. */
export function NewCard() {
  const { t, wallet } = useShop()
  const texts = {
    card: t('Your card'),
    name: t('Name on the card'),
    number: t('Card number'),
    expiry: t('Expiration date'),
    cvv: t('Security code'),
    optional: t('(optional)'),
    retry: t('Try again'),
    unreachable: t('The shop could not be reached. Please check your connection and try again.'),
    failed: t('Something went wrong with this payment. Please try again.'),
  }
  return (
    <>
      <noscript>
        <p>{t('The card fields require JavaScript. Without it, please choose another payment method.')}</p>
      </noscript>
      {/* The provider is not contacted before a shopper selects the card. */}
      <Island
        name="card-fields"
        prefix="new"
        when="visible"
        component={CardFields}
        props={{ cardName: wallet.cardName, texts }}
      />
    </>
  )
}

/** Logos of the most common brands, beside the method's name. */
export function CardMarks() {
  return (
    <span className="card-marks">
      {(['visa', 'mastercard', 'amex', 'discover'] as const).map((brand) => (
        // Lazy: React would insert a preload link beside the markup, and morphing requires a single element.
        <img key={brand} src={urls.cardIcon(brand)} alt="" width={30} height={20} loading="lazy" />
      ))}
    </span>
  )
}
