import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ButtonPage, walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { connectedSettings } from '../../browser/adapters/payments/payment-settings.ts'
import { payPalV5 } from '../../browser/adapters/payments/paypal-v5.ts'
import { lateAfterMs, slowAfterMs } from '../../browser/adapters/payments/timeouts.ts'
import { keepExpressPlace } from '../../browser/adapters/payments/wallet/express-placement.ts'
import { PageWallet, type WalletTexts } from '../../browser/adapters/payments/wallet/page-wallet.ts'
import {
  followPageWidth,
  hasOwnButton,
  redirectFrom,
  standInForOwnButton,
  watchButtons,
  watchPage,
} from '../../browser/adapters/payments/wallet/wallet-page.ts'
import { trigger } from '../../browser/runtime/events.ts'
import { useShopEvent } from '../shared/use-shop-event.ts'
import { initialWalletState, walletReducer, walletView } from './wallet-state.ts'

export type WalletButtonsProps = {
  page: ButtonPage
  className: string
  /** The provider may still refuse some of them. */
  fundings: readonly Funding[]
  /** Starts the wallet by redirect, on pages without a button of their own. */
  redirect?: { url: string; text: string }
  texts: WalletTexts & {
    slow: string
    notLoaded: string
    unfinished: string
    finish: string
    retry: string
  }
}

/** Interval of the check whether the buttons are still there: other scripts may have emptied their container. */
const lookEveryMs = 2000

/** The provider's buttons on a page, or the message in their place. */
export function WalletButtons({ page, className, fundings, redirect, texts }: WalletButtonsProps) {
  const [state, dispatch] = useReducer(walletReducer, initialWalletState)
  const [wallet] = useState(
    () => new PageWallet({ page, texts, phaseChanged: (phase) => dispatch({ type: 'phase', phase }) }),
  )
  const place = useRef<HTMLDivElement>(null)
  const retry = useRef<HTMLButtonElement>(null)
  const { choice, round, drawn, given, retried, phase } = state
  const view = walletView(state)

  useEffect(() => {
    const stale = new AbortController()
    const settings = connectedSettings()
    if (round === 0 || !settings || !place.current) return
    const slow = setTimeout(() => dispatch({ type: 'slow' }), slowAfterMs)
    const late = setTimeout(() => dispatch({ type: 'late' }), lateAfterMs)
    void wallet.draw(place.current, settings, stale.signal).then((drawn) => {
      if (stale.signal.aborted) return
      // Listeners of the event find the buttons shown.
      flushSync(() => dispatch({ type: 'drawn', drawn }))
      if (typeof drawn === 'object') trigger(document.body, walletEvents.init)
    })
    return () => {
      stale.abort()
      clearTimeout(slow)
      clearTimeout(late)
    }
  }, [wallet, round])

  useEffect(() => {
    if (page === 'express') keepExpressPlace(connectedSettings()?.ppcp_data.expressElement ?? '')
    const stops = [
      watchPage(page, (choice) => dispatch({ type: 'chosen', choice })),
      watchButtons(page, () => dispatch({ type: 'outdated' })),
    ]
    const look = setInterval(() => wallet.isIntact() || dispatch({ type: 'emptied' }), lookEveryMs)
    const left = new AbortController()
    const { signal } = left
    addEventListener('online', () => dispatch({ type: 'chance' }), { signal })
    addEventListener('pageshow', ({ persisted }) => persisted && void wallet.reset(), { signal })
    return () => {
      for (const stop of stops) stop()
      clearInterval(look)
      left.abort()
      wallet.close()
    }
  }, [page, wallet])
  useShopEvent(paymentEvents.sdkLoaded, () => dispatch({ type: 'chance' }))

  useEffect(() => wallet.setEnabled(choice.enabled), [wallet, choice])
  useLayoutEffect(() => {
    return drawn === 'drawn' && place.current ? followPageWidth(page, place.current) : undefined
  }, [page, drawn])
  const standsIn = hasOwnButton(page) && choice.shown && drawn === 'drawn' && phase !== 'failed'
  useLayoutEffect(() => (standsIn ? standInForOwnButton() : undefined), [standsIn])

  // The pressed button was removed during the retry, and with it the focus.
  const failedAgain = retried && drawn === 'failed'
  useEffect(() => {
    if (failedAgain && document.activeElement === document.body) retry.current?.focus()
  }, [failedAgain])

  // The alternative takes the space of the buttons: beside them it would shift the page twice.
  const buttons = view === 'buttons' || (view === 'slow' && !redirect)
  return (
    <div
      className={`wc-ppcp-wallet ${className}`}
      data-page={page}
      data-phase={phase}
      hidden={!choice.shown || drawn === 'not-offered'}
    >
      <div ref={place} className="wc-ppcp-wallet__buttons" translate="no" hidden={!buttons}>
        {/* The provider fills these places. They are reserved, so that nothing shifts when the buttons are rendered. */}
        {fundings.map((funding) => (
          <div
            key={funding}
            className="wc-ppcp-wallet__button"
            data-funding={funding}
            hidden={given?.includes(funding) === false}
          />
        ))}
      </div>
      <p className="wc-ppcp-wallet__message" role="status">
        {view !== 'buttons' && texts[view]}
      </p>
      {view === 'unfinished' && (
        <button type="button" className="button alt wc-ppcp-wallet__finish" onClick={wallet.finishAgain}>
          {texts.finish}
        </button>
      )}
      {!buttons && view !== 'unfinished' && (
        <p className="wc-ppcp-wallet__ways">
          {view === 'notLoaded' && (
            <button
              ref={retry}
              type="button"
              className="button wc-ppcp-wallet__retry"
              onClick={() => {
                const settings = connectedSettings()
                if (settings) payPalV5(settings).startOver()
                dispatch({ type: 'retried' })
              }}
            >
              {texts.retry}
            </button>
          )}
          {redirect && (
            <button
              type="button"
              className="button wc-ppcp-wallet__redirect"
              onClick={() => redirectFrom(page, redirect.url)}
            >
              {redirect.text}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
