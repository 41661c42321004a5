import { cardMethodId, newMethod, paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { cardMark } from '#domain/payments/card-marks.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

type Props = { method: PaymentMethodFacts }

/**
 * The customer's saved methods, to choose from. The content after it in the box is for another payment method, and
 * hidden by a style rule while a saved one is selected.
 */
export function SavedMethods({ method: { id, kept = [] } }: Props) {
  const { t } = useShop()
  if (kept.length === 0) return null
  const name = paymentFields(id).kept
  const card = id === cardMethodId
  const list = 'woocommerce-SavedPaymentMethods'
  return (
    <ul
      className={`${list} wc-saved-payment-methods`}
      data-count={kept.length}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: extensions expect a list of choices.
      role="radiogroup"
      aria-label={card ? t('Your saved cards') : t('Your saved wallets')}
    >
      {kept.map((choice) => (
        <li key={choice.id} className={`${list}-token`} role="presentation">
          <label htmlFor={`${name}-${choice.id}`}>
            <input
              id={`${name}-${choice.id}`}
              type="radio"
              name={name}
              value={choice.id}
              className={`${list}-tokenInput`}
              defaultChecked={choice.chosen}
            />
            <Mark brand={choice.brand} />
            <span translate="no">{choice.label}</span>
          </label>
        </li>
      ))}
      <li className={`${list}-new`} role="presentation">
        <label htmlFor={`${name}-${newMethod}`}>
          <input
            id={`${name}-${newMethod}`}
            type="radio"
            name={name}
            value={newMethod}
            className={`${list}-tokenInput`}
            defaultChecked={!kept.some(({ chosen }) => chosen)}
          />
          <span>{card ? t('Use another card') : t('Use another wallet')}</span>
        </label>
      </li>
    </ul>
  )
}

/** The checkbox that saves the payment method. */
export function SaveMethod({ method: { id, canKeep } }: Props) {
  const { t } = useShop()
  if (!canKeep) return null
  const { save } = paymentFields(id)
  return (
    <p className="form-row woocommerce-SavedPaymentMethods-saveNew">
      <label className="checkbox" htmlFor={save}>
        <input id={save} type="checkbox" className="input-checkbox" name={save} value="1" />{' '}
        <span>{id === cardMethodId ? t('Save this card for next time') : t('Save this wallet for next time')}</span>
      </label>
    </p>
  )
}

function Mark({ brand }: { brand: string }) {
  const mark = cardMark(brand)
  return mark ? <img src={urls.cardIcon(mark)} alt="" width={36} height={24} loading="lazy" /> : null
}
