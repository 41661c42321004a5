import { cardHooks } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { BareIsland } from '../../islands/island.tsx'
import { classNames } from '../shared/class-names.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The places of a card's fields, which the provider fills with frames of its own: what is typed there never reaches the shop. */
export function CardFields() {
  const { t, wallet } = useShop()
  const { cardName } = wallet
  return (
    <>
      <noscript>
        <p>{t('The fields for a card need scripts. Without them, please choose another way to pay.')}</p>
      </noscript>
      {/* Nothing is asked of the provider until somebody has chosen to pay by card. */}
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
          <Field id={cardHooks.expiryId} label={t('Expiry date')} required half />
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

/** The field in the frame has a label of its own for screen readers; this one leads into it when it is pressed. */
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

/** Marks of the brands that most shoppers look for, beside the method's name. */
export function CardMarks() {
  return (
    <span className="card-marks">
      {(['visa', 'mastercard', 'amex', 'discover'] as const).map((brand) => (
        // Lazy: React would put a preload of it beside the markup, which then was no single element to be morphed into.
        <img key={brand} src={urls.cardIcon(brand)} alt="" width={30} height={20} loading="lazy" />
      ))}
    </span>
  )
}
