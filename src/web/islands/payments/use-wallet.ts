import { type RefObject, useEffect, useRef, useState } from 'react'
import { walletEvents } from '#contract/payment-words.ts'
import { trigger } from '#web/browser/events.ts'
import { messageFor, showError } from '#web/browser/notices.ts'
import { checkoutForm, showPlaceOrder, watchCheckout } from '#web/browser/payments/checkout-form.ts'
import { PaymentFailure } from '#web/browser/payments/payment-failure.ts'
import { connectedSettings } from '#web/browser/payments/payment-page.ts'
import { payPalV5 } from '#web/browser/payments/paypal-v5.ts'
import type { MountedButton } from '#web/browser/payments/provider.ts'
import { paymentCalls } from '#web/browser/payments/rest-calls.ts'
import { createAttempt, type WalletAttempt, type WalletPhase } from '#web/browser/payments/wallet-attempt.ts'
import {
  type ButtonChoice,
  type ButtonPage,
  errorContainer,
  purchaseOn,
  watchPage,
} from '#web/browser/payments/wallet-page.ts'

export type Drawn = 'waiting' | 'drawn' | 'failed' | 'not-offered'

export type Wallet = {
  /** Of the element that the provider alone writes into. */
  container: RefObject<HTMLDivElement | null>
  /** The wallet is the visitor's choice here. */
  shown: boolean
  drawn: Drawn
  /** No button yet, for so long that something should be said. */
  slow: boolean
  phase: WalletPhase
  drawAgain(): void
  finishAgain(): void
}

const slowAfterMs = 3000

/** Keeps the provider's button on a page, and the attempt to pay that begins with it. */
export function useWallet(page: ButtonPage, texts: { unreachable: string; failed: string }): Wallet {
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<MountedButton | null>(null)
  const attempt = useRef<WalletAttempt | null>(null)
  const enabled = useRef(false)
  const [choice, setChoice] = useState<ButtonChoice>()
  // Loading the provider's script for a visitor who pays otherwise would be for nothing; once loaded, the button stays.
  const [needed, setNeeded] = useState(false)
  const [drawn, setDrawn] = useState<Drawn>('waiting')
  const [slow, setSlow] = useState(false)
  const [phase, setPhase] = useState<WalletPhase>('idle')
  const [round, setRound] = useState(0)

  useEffect(
    () =>
      watchPage(page, (next) => {
        enabled.current = next.enabled
        button.current?.setEnabled(next.enabled)
        if (next.shown && connectedSettings()) setNeeded(true)
        setChoice(next)
      }),
    [page],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round draws again; a page's texts do not change.
  useEffect(() => {
    const settings = connectedSettings()
    const target = container.current
    if (!needed || !settings || !target) return
    let gone = false
    const slowTimer = setTimeout(() => setSlow(true), slowAfterMs)

    attempt.current ??= createAttempt({
      calls: paymentCalls(settings.generalData),
      purchase: purchaseOn(page),
      errorMessages: settings.errorMessages,
      texts,
      phaseChanged: setPhase,
    })
    const { callbacks } = attempt.current
    const style = settings.ppcp_data.buttons.paypal
    payPalV5(settings)
      .mountButton(target, { funding: 'paypal', style, enabled: enabled.current, attempt: callbacks })
      .then((mounted) => {
        if (gone) {
          mounted?.close()
          return
        }
        button.current = mounted
        mounted?.setEnabled(enabled.current)
        setDrawn(mounted ? 'drawn' : 'not-offered')
        trigger(document.body, walletEvents.init)
      })
      .catch((error: unknown) => {
        if (gone) return
        setDrawn('failed')
        // The loader has logged its own failures. Those with a code concern the shop and are shown like any other error.
        if (!(error instanceof PaymentFailure)) console.error('the payment button could not be drawn', error)
        else if (error.code) showError(messageFor(error, settings.errorMessages) ?? error.message, errorContainer())
      })
      .finally(() => {
        clearTimeout(slowTimer)
        if (!gone) setSlow(false)
      })

    return () => {
      gone = true
      clearTimeout(slowTimer)
      button.current?.close()
      button.current = null
    }
  }, [page, needed, round])

  const shown = choice?.shown ?? true
  usePlaceOrderHidden(page === 'checkout' && shown && drawn === 'drawn' && phase !== 'failed')

  useEffect(() => {
    // A page that the browser kept while the visitor was elsewhere has nothing under way any more.
    const back = (event: PageTransitionEvent) => {
      if (event.persisted) attempt.current?.reset()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  return {
    container,
    shown,
    drawn,
    slow,
    phase,
    drawAgain() {
      setDrawn('waiting')
      setRound(round + 1)
    },
    finishAgain: () => void attempt.current?.finishAgain(),
  }
}

/** While the wallet's button stands in for it, the checkout's own is hidden, also in markup that comes anew. */
function usePlaceOrderHidden(hidden: boolean): void {
  useEffect(() => {
    if (!hidden) return
    const show = (shown: boolean) => {
      const form = checkoutForm()
      if (form) showPlaceOrder(form, shown)
    }
    const form = checkoutForm()
    const stop = form ? watchCheckout(form, () => show(false)) : undefined
    return () => {
      stop?.()
      show(true)
    }
  }, [hidden])
}
