import { fastlaneHooks } from '#contract/payments/constants.ts'
import { Island } from '../../islands/island.tsx'
import {
  AcceleratedCheckout,
  type AcceleratedCheckoutProps,
} from '../../islands/payments/accelerated/accelerated-checkout.tsx'
import { SignUpContent, signUpTitleId } from '../../islands/payments/accelerated/sign-up.tsx'
import { TokenizedCard as Card } from '../../islands/payments/accelerated/tokenized-card.tsx'
import { useShop } from '../shared/shop-context.tsx'

export type AcceleratedFlow = AcceleratedCheckoutProps['flow']

/** The block under the billing email field: the provider's logo, and the button for a new customer. */
export function AcceleratedPlace({ flow }: { flow: AcceleratedFlow }) {
  const props = { flow, texts: useTexts(flow) }
  // The checkout wakes it for somebody who is there: the address may be filled in while it is out of view.
  return (
    <Island
      name="accelerated-checkout"
      prefix="billing"
      when="presence"
      component={AcceleratedCheckout}
      props={props}
    />
  )
}

/** Template of the window in which a new customer enters a card, as extensions find it. */
export function AcceleratedModal() {
  return (
    <div className={fastlaneHooks.modalClass}>
      <div className={fastlaneHooks.modalBodyClass} role="dialog" aria-modal="true" aria-labelledby={signUpTitleId}>
        <SignUpContent texts={useTexts('express_button')} />
      </div>
    </div>
  )
}

/** Template of a card that the provider stores, as extensions find it. */
export function TokenizedCard() {
  return <Card texts={useTexts('express_button')} />
}

function useTexts(flow: AcceleratedFlow): AcceleratedCheckoutProps['texts'] {
  const { t } = useShop()
  return {
    ask: flow === 'email_detection' ? t('Save a card for next time') : t('Check out faster'),
    close: t('Close'),
    title: t('Pay faster next time'),
    purpose: t('Enter your card once. With this email address it is filled in for you from then on.'),
    useCard: t('Use this card'),
    chosenCard: t('Your chosen card'),
    spent: t('This card cannot be used again here. Please change it, or enter another one.'),
    changeCard: t('Change card'),
    changeAddress: t('Change shipping address'),
    otherCard: t('Enter another card'),
  }
}
