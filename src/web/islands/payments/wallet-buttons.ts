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

/** How often is looked whether the buttons still stand: other scripts may have emptied their place. */
const lookEveryMs = 2000

/** Keeps the provider's buttons on a page, the attempt to pay that begins with them, and what is said around both. */
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
  // Loading the provider's script for a visitor who pays otherwise would be for nothing; once loaded, the buttons stay.
  let needed = false
  /** Of the last drawing: what an earlier one still brings is too late. */
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

  /** Repeated at every change of the checkout, whose markup comes anew; what others do with a visible button is theirs. */
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
        // Those before stood until now, so that there is no moment without any.
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
    // The button that was pressed has gone while it was tried, and the focus with it.
    const retry = walletPart(wallet ?? element, 'retry')
    if (document.activeElement === document.body && !retry.hidden) retry.focus()
  }

  /** Something has come that may bring the buttons as well: the script, for another part of the page, or the connection. */
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
  // A page that the browser kept while the visitor was elsewhere has nothing under way any more.
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
      // Somebody is paying: what is drawn stays until that has ended, and the next change draws anew.
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
