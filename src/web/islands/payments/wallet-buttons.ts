import { type ButtonPage, walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import { messageFor, showError } from '../../browser/adapters/notices/notices.ts'
import { checkoutForm, showPlaceOrder } from '../../browser/adapters/payments/checkout-form.ts'
import { PaymentFailure } from '../../browser/adapters/payments/payment-failure.ts'
import { connectedSettings } from '../../browser/adapters/payments/payment-settings.ts'
import { payPalV5 } from '../../browser/adapters/payments/paypal-v5.ts'
import { paymentCalls } from '../../browser/adapters/payments/rest-calls.ts'
import { lateAfterMs, slowAfterMs } from '../../browser/adapters/payments/timeouts.ts'
import {
  type ButtonSet,
  buttonsOn,
  callbacksOn,
  mountButtons,
} from '../../browser/adapters/payments/wallet/button-set.ts'
import { keepExpressPlace } from '../../browser/adapters/payments/wallet/express-placement.ts'
import { createAttempt, type WalletAttempt } from '../../browser/adapters/payments/wallet/wallet-attempt.ts'
import {
  errorContainer,
  followPageWidth,
  hasOwnButton,
  purchaseOn,
  redirectFrom,
  watchButtons,
  watchPage,
} from '../../browser/adapters/payments/wallet/wallet-page.ts'
import { closestTo } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'
import { initialWalletState, type WalletState, walletPart, walletView } from './wallet-view.ts'

/** Interval of the check whether the buttons are still there: other scripts may have emptied their container. */
const lookEveryMs = 2000

/** Keeps the provider's buttons on a page, and handles their payment attempt and messages. */
export function startWalletButtons(element: HTMLElement): () => void {
  const wallet = element.querySelector<HTMLElement>('.wc-ppcp-wallet')
  if (!wallet) return () => {}
  // Proof of the cast: the server names the page by this type.
  const page = wallet.dataset.page as ButtonPage
  const { unreachable = '', failed = '', ready = '', cancel = '' } = wallet.dataset
  const place = walletPart(wallet, 'buttons')
  if (page === 'express') keepExpressPlace(connectedSettings()?.ppcp_data.expressElement ?? '')
  const show = walletView(wallet)
  let state = initialWalletState
  let enabled = false
  let buttons: ButtonSet | undefined
  let purchasing: ReturnType<typeof purchaseOn> | undefined
  let attempt: WalletAttempt | undefined
  // The provider's script is not loaded for a visitor who pays otherwise; once loaded, the buttons stay.
  let needed = false
  /** Number of the last rendering: results of earlier ones are ignored. */
  let round = 0
  let drawing = false
  let slowTimer: ReturnType<typeof setTimeout> | undefined
  let lateTimer: ReturnType<typeof setTimeout> | undefined
  let standsIn = false
  let stopFollowing: (() => void) | undefined

  function update(change: Partial<WalletState>): void {
    state = { ...state, ...change }
    show(state)
    const drawn = state.drawn === 'drawn'
    standInForOwnButton(hasOwnButton(page) && state.shown && drawn && state.phase !== 'failed')
    if (drawn) {
      stopFollowing ??= followPageWidth(page, place)
    } else {
      stopFollowing?.()
      stopFollowing = undefined
    }
  }

  /** Runs at every change of the checkout, whose markup is replaced; a visible button is left to other scripts. */
  function standInForOwnButton(now: boolean): void {
    const form = checkoutForm()
    if (form && (now || standsIn)) showPlaceOrder(form, !now)
    standsIn = now
  }

  async function draw(): Promise<void> {
    const settings = connectedSettings()
    if (!needed || !settings) return
    round += 1
    const mine = round
    drawing = true
    clearTimers()
    slowTimer = setTimeout(() => update({ slow: true }), slowAfterMs)
    lateTimer = setTimeout(() => !buttons && update({ drawn: 'failed' }), lateAfterMs)
    try {
      purchasing ??= purchaseOn(page, { ready, cancel })
      const purchase = await purchasing
      attempt ??= createAttempt({
        calls: paymentCalls(settings.generalData),
        purchase,
        errorMessages: settings.errorMessages,
        texts: { unreachable, failed },
        phaseChanged: (phase) => update({ phase }),
      })
      const next = await mountButtons(payPalV5(settings), place, buttonsOn(page, settings), {
        buttons: settings.ppcp_data.buttons,
        enabled,
        attempt: callbacksOn(page, settings, attempt.callbacks),
      })
      if (mine !== round || (buttons && state.phase !== 'idle')) {
        next.close()
      } else {
        // Earlier buttons stay until now, so that there is no moment without any.
        buttons?.close()
        buttons = next
        next.setEnabled(enabled)
        update({ given: next.fundings, drawn: next.fundings.length > 0 ? 'drawn' : 'not-offered' })
        trigger(document.body, walletEvents.init)
      }
    } catch (error) {
      if (!attempt) purchasing = undefined
      if (mine !== round) return
      update({ drawn: 'failed' })
      // The loader has logged its own failures. Those with a code concern the shop and are shown like any other error.
      if (!(error instanceof PaymentFailure)) console.error('the payment button could not be drawn', error)
      else if (error.code) showError(messageFor(error, settings.errorMessages) ?? error.message, errorContainer(page))
    }
    if (mine !== round) return
    drawing = false
    clearTimers()
    update({ slow: false })
  }

  function clearTimers(): void {
    clearTimeout(slowTimer)
    clearTimeout(lateTimer)
  }

  async function tryAgain(): Promise<void> {
    const settings = connectedSettings()
    if (settings) payPalV5(settings).startOver()
    update({ drawn: 'waiting' })
    await draw()
    // The pressed button was removed during the retry, and with it the focus.
    const retry = walletPart(wallet ?? element, 'retry')
    if (document.activeElement === document.body && !retry.hidden) retry.focus()
  }

  /**
   * Another event may allow the buttons now: a script loaded for another part of the page, or a restored connection.
   */
  const drawMissing = () => {
    if (!drawing && state.drawn === 'failed') void draw()
  }

  const heard = new AbortController()
  const { signal } = heard
  wallet.addEventListener(
    'click',
    (event) => {
      const pressed = (name: string) => closestTo(event, `.wc-ppcp-wallet__${name}`)
      if (pressed('finish')) void attempt?.finishAgain()
      if (pressed('redirect')) redirectFrom(page, pressed('redirect')?.dataset.url ?? '')
      if (pressed('retry')) void tryAgain()
    },
    { signal },
  )
  // A page from the back/forward cache has no attempt in progress.
  addEventListener('pageshow', ({ persisted }) => persisted && attempt?.reset(), { signal })

  addEventListener('online', drawMissing, { signal })

  const watch = setInterval(() => {
    if (state.drawn === 'drawn' && state.phase === 'idle' && buttons?.isIntact() === false) void draw()
  }, lookEveryMs)

  update(initialWalletState)
  const stops = [
    watchPage(page, (choice) => {
      enabled = choice.enabled
      buttons?.setEnabled(enabled)
      update({ shown: choice.shown })
      if (needed || !choice.shown || !connectedSettings()) return
      needed = true
      void draw()
    }),
    listen(document.body, paymentEvents.sdkLoaded, drawMissing),
    watchButtons(page, () => {
      // A payment is in progress: the rendered buttons stay until it ends, and the next change renders again.
      if (state.phase === 'idle') void draw()
    }),
  ]

  return () => {
    round += 1
    clearTimers()
    clearInterval(watch)
    heard.abort()
    for (const stop of stops) stop()
    buttons?.close()
    attempt?.reset()
    update(initialWalletState)
  }
}
