import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { fastlaneHooks } from '#contract/payments/constants.ts'
import type { CardSettings } from '#contract/payments/page-settings.ts'
import { cardLabel } from '../../../browser/adapters/payments/accelerated/accelerated-card.ts'
import { billingPlace } from '../../../browser/adapters/payments/accelerated/accelerated-fill.ts'
import { SignUp, type SignUpContentProps } from './sign-up.tsx'
import { TokenizedCard, type TokenizedCardProps } from './tokenized-card.tsx'
import { useAccelerated } from './use-accelerated.ts'

export type AcceleratedCheckoutProps = {
  flow: CardSettings['fastlane_flow']
  texts: { readonly ask: string } & TokenizedCardProps['texts'] & SignUpContentProps['texts']
}

/**
 * Accelerated checkout for guests, below their email address: name, addresses and card are filled in for shoppers whose
 * address the provider knows. Only the form pays: the card is sent in its hidden fields. The card is shown in its method's
 * box, which the server replaces, so it is rendered into an element that is put there again.
 */
export function AcceleratedCheckout({ flow, texts }: AcceleratedCheckoutProps) {
  const place = useRef<HTMLSpanElement>(null)
  const watermark = useRef<HTMLSpanElement>(null)
  const shownCard = useRef<HTMLDivElement>(null)
  const { state, site, provider, profile, isSpent, box, signsUp, ask, giveBack, change, textFor, joined, closeSignUp } =
    useAccelerated(place, watermark, shownCard)
  if (provider === null) return null

  const card = profile?.card
  const isStranger = state.phase === 'stranger' && site?.card.fastlane_signup
  return (
    <>
      <span
        ref={place}
        className={fastlaneHooks.placeClass}
        data-phase={state.phase}
        data-ready={provider ? '' : undefined}
      >
        <span ref={watermark} id={fastlaneHooks.watermarkId} />
        {/* Invisible until the provider's script has loaded. */}
        <button
          type="button"
          className={fastlaneHooks.signUpLinkClass}
          hidden={flow === 'email_detection' ? !isStranger : state.phase === 'recognised'}
          onClick={ask}
        >
          {texts.ask}
        </button>
      </span>
      {card &&
        site &&
        box &&
        createPortal(
          <TokenizedCard
            ref={shownCard}
            texts={texts}
            label={cardLabel(site.card.payment_format, card)}
            icon={Object.hasOwn(site.card.icons, card.brand) ? site.card.icons[card.brand] : undefined}
            spent={isSpent}
            hasAddress={profile.shipping !== undefined}
            onChangeCard={() => void change('card')}
            onChangeAddress={() => void change('shipping')}
            onCancel={() => void giveBack()}
          />,
          box,
        )}
      {provider && site && (
        <SignUp
          open={signsUp}
          texts={texts}
          mount={(container) => provider.mountPayment(container, billingPlace(site.form))}
          textFor={textFor}
          onChosen={joined}
          onClose={() => closeSignUp()}
          onFailed={closeSignUp}
        />
      )}
    </>
  )
}
