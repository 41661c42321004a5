import { cardMethodId, newMethod, paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { cardMark } from '#domain/payments/card-marks.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

type Props = { method: PaymentMethodFacts }

/**
 * What the customer has kept of a method, to choose from. What follows it in the method's box is for somebody who pays with
 * something else, and hidden by a style rule while a kept one is chosen.
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
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: extensions look these choices up as a list.
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

/** The tick that keeps what is used now. */
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
