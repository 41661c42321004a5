import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { fastlaneHooks } from '#contract/payments/constants.ts'
import type { AcceleratedCard, AcceleratedPayment } from '../../../browser/adapters/payments/provider.ts'
import { Layer } from '../../shared/layer.tsx'

export const signUpTitleId = 'wc-ppcp-popup-title'

type FormProps = {
  texts: SignUpContentProps['texts']
  /** Renders the provider's form. */
  mount: (place: HTMLElement) => Promise<AcceleratedPayment>
  /** Returns the text of an error; undefined for a value that is no error. */
  textFor: (error: unknown) => string | undefined
  onChosen: (card: AcceleratedCard) => void
  onClose: () => void
  /** The provider could not render its form. */
  onFailed: (error: unknown) => void
}

/** Asks a shopper without a provider account for a card, in a modal window. */
export function SignUp({ open, ...form }: FormProps & { open: boolean }) {
  return (
    <Layer
      open={open}
      onDismiss={form.onClose}
      titleId={signUpTitleId}
      className={fastlaneHooks.modalClass}
      boxClassName={fastlaneHooks.modalBodyClass}
    >
      <SignUpForm {...form} />
    </Layer>
  )
}

function SignUpForm({ texts, mount, textFor, onChosen, onClose, onFailed }: FormProps) {
  const place = useRef<HTMLDivElement>(null)
  const [payment, setPayment] = useState<AcceleratedPayment>()
  const [waits, setWaits] = useState(false)
  const [fault, setFault] = useState('')

  const start = useEffectEvent(() => {
    let closed = false
    let mounted: AcceleratedPayment | undefined
    if (place.current)
      mount(place.current).then(
        (given) => {
          mounted = given
          if (closed) given.close()
          else setPayment(given)
        },
        (error: unknown) => closed || onFailed(error),
      )
    return () => {
      closed = true
      mounted?.close()
    }
  })
  useEffect(() => start(), [])

  async function use() {
    setWaits(true)
    setFault('')
    try {
      const card = await payment?.token()
      if (card) onChosen(card)
    } catch (error) {
      setFault(textFor(error) ?? '')
    }
    setWaits(false)
  }

  return (
    <SignUpContent
      texts={texts}
      place={place}
      fault={fault}
      disabled={!payment || waits}
      onUse={() => void use()}
      onClose={onClose}
    />
  )
}

export type SignUpContentProps = {
  texts: Readonly<Record<'close' | 'title' | 'purpose' | 'useCard', string>>
  place?: Ref<HTMLDivElement>
  fault?: string
  disabled?: boolean
  onUse?: () => void
  onClose?: () => void
}

export function SignUpContent({ texts, place, fault, disabled, onUse, onClose }: SignUpContentProps) {
  return (
    <>
      <button type="button" className={fastlaneHooks.modalCloseClass} aria-label={texts.close} onClick={onClose}>
        ×
      </button>
      <h2 id={signUpTitleId}>{texts.title}</h2>
      <p>{texts.purpose}</p>
      <div ref={place} className="wc-ppcp-popup__payment" />
      <p className="wc-ppcp-popup__error" role="alert">
        {fault}
      </p>
      <button type="button" className="button alt wc-ppcp-popup__use" disabled={disabled} onClick={onUse}>
        {texts.useCard}
      </button>
    </>
  )
}
