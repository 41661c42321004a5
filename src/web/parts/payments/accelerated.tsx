import { fastlaneHooks } from '#contract/payments/constants.ts'
import { useShop } from '../shared/shop-context.tsx'

export type AcceleratedFlow = 'email_detection' | 'express_button'

/** The block under the billing email field: the provider's logo, and the button for a new customer. */
export function AcceleratedPlace({ flow }: { flow: AcceleratedFlow }) {
  const { t } = useShop()
  const detects = flow === 'email_detection'
  return (
    <span className={fastlaneHooks.placeClass}>
      <span id={fastlaneHooks.watermarkId} />
      {/* Disabled until the provider's script has loaded. */}
      <button type="button" className={fastlaneHooks.signUpLinkClass} hidden={detects}>
        {detects ? t('Save a card for next time') : t('Check out faster')}
      </button>
    </span>
  )
}

const titleId = 'wc-ppcp-popup-title'

/** Template of the window in which a new customer enters a card. */
export function AcceleratedModal() {
  const { t } = useShop()
  return (
    <div className={fastlaneHooks.modalClass}>
      <div className={fastlaneHooks.modalBodyClass} role="dialog" aria-modal="true" aria-labelledby={titleId}>
        <button type="button" className={fastlaneHooks.modalCloseClass} aria-label={t('Close')}>
          ×
        </button>
        <h2 id={titleId}>{t('Pay faster next time')}</h2>
        <p>{t('Enter your card once. With this email address it is filled in for you from then on.')}</p>
        <div className="wc-ppcp-popup__payment" />
        <p className="wc-ppcp-popup__error" role="alert" />
        <button type="button" className="button alt wc-ppcp-popup__use">
          {t('Use this card')}
        </button>
      </div>
    </div>
  )
}

/** Template of a card that the provider stores, in its method's box. */
export function TokenizedCard() {
  const { t } = useShop()
  const card = fastlaneHooks.tokenizedCardClass
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border, and this groups no fields.
    <div className={card} role="group" aria-label={t('Your chosen card')} tabIndex={-1}>
      <img className={`${card}__icon`} alt="" width={48} height={32} hidden />
      <span className={`${card}__label`} />
      <p
        className={`${card}__spent`}
        role="status"
        data-text={t('This card cannot be used again here. Please change it, or enter another one.')}
      />
      <span className={`${card}__ways`}>
        <button type="button" className={fastlaneHooks.changeClass}>
          {t('Change card')}
        </button>
        <button type="button" className={fastlaneHooks.changeAddressClass} hidden>
          {t('Change shipping address')}
        </button>
        <button type="button" className={fastlaneHooks.cancelClass}>
          {t('Enter another card')}
        </button>
      </span>
    </div>
  )
}
