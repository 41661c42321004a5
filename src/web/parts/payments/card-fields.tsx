import { cardHooks } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { BareIsland } from '../../islands/island.tsx'
import { classNames } from '../shared/class-names.ts'
import { useShop } from '../shared/shop-context.tsx'

/**
 * The containers of the card fields, which the provider fills with its own frames: card data never reaches the shop.
 */
export function CardFields() {
  const { t, wallet } = useShop()
  const { cardName } = wallet
  return (
    <>
      <noscript>
        <p>{t('The card fields require JavaScript. Without it, please choose another payment method.')}</p>
      </noscript>
      {/* The provider is not contacted before a shopper selects the card. */}
      <BareIsland name="card-fields" when="visible">
        <fieldset
          className={cardHooks.containerClass}
          aria-label={t('Your card')}
          data-state="loading"
          data-unreachable={t('The shop could not be reached. Please check your connection and try again.')}
          data-failed={t('Something went wrong with this payment. Please try again.')}
        >
          {cardName !== undefined && (
            <Field id={cardHooks.nameId} label={t('Name on the card')} required={cardName === 'required'} />
          )}
          <Field id={cardHooks.numberId} label={t('Card number')} required>
            <img className="card-brand" alt="" width={36} height={24} hidden />
          </Field>
          <Field id={cardHooks.expiryId} label={t('Expiration date')} required half />
          <Field id={cardHooks.cvvId} label={t('Security code')} required half />
          <p className="card-fields__message" role="status" />
          <button type="button" className="button card-fields__retry" hidden>
            {t('Try again')}
          </button>
        </fieldset>
      </BareIsland>
    </>
  )
}

type FieldProps = { id: string; label: string; required: boolean; half?: boolean; children?: React.ReactNode }

/** The field in the frame has its own label for screen readers; pressing this one focuses the field. */
function Field({ id, label, required, half = false, children }: FieldProps) {
  const { t } = useShop()
  return (
    <div className={classNames(cardHooks.fieldClass, half && 'card-field--half')}>
      <span className="card-field__label" data-for={id}>
        {label}{' '}
        {required ? (
          <span className="required" aria-hidden="true">
            *
          </span>
        ) : (
          <span className="optional">{t('(optional)')}</span>
        )}
      </span>
      <div id={id} className="card-field__frame" translate="no">
        {children}
      </div>
      <div className={cardHooks.messageClass} data-parent={id} role="status" />
    </div>
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
