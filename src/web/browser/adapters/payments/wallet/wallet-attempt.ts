import { restartCodes, walletEvents, walletMethodId } from '#contract/payments/constants.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { trigger } from '../../../runtime/events.ts'
import { goToWhenOnline, reloadPage } from '../../../runtime/navigate.ts'
import { blockAll, unblock } from '../../../runtime/overlay.ts'
import { messageFor, showError } from '../../notices/notices.ts'
import { isWindowClosed, PaymentFailure } from '../payment-failure.ts'
import type { AttemptCallbacks, OpenWallet } from '../provider.ts'
import { isUnanswered, type PaymentCalls, ShopUnavailable } from '../rest-calls.ts'
import { type Purchase, withOrder } from './purchase.ts'

/**
 * The phase of an attempt to pay. Every exit (cancel, refusal, closed window, removed script) leads back to `idle`;
 * only an approved order that the shop has not received is `failed`, until it is delivered.
 */
export type WalletPhase = 'idle' | 'creating' | 'approving' | 'finishing' | 'failed'

export type WalletAttempt = {
  readonly callbacks: Required<AttemptCallbacks>
  /** Sends the approved order to the shop again, after `failed`. */
  finishAgain(): Promise<void>
  /** The page was restored from the back/forward cache: the attempt in progress has ended. */
  reset(): void
}

type Options = {
  readonly calls: PaymentCalls
  readonly purchase: Purchase
  readonly errorMessages: Readonly<Record<string, string>>
  readonly texts: { unreachable: string; failed: string }
  phaseChanged(phase: WalletPhase): void
  /** Back-off in milliseconds before each retry of sending the order to the shop. */
  readonly retryPausesMs?: readonly number[]
}

/** The attempt in progress: a page allows one at a time. */
let underWay: object | undefined

/** After three declined payment methods the wallet is not opened again. */
const maxRestarts = 3

/** Creates an attempt: from the press on a wallet button to the page of the placed order. */
export function createAttempt(options: Options): WalletAttempt {
  const { calls, purchase, errorMessages, texts, phaseChanged, retryPausesMs = [1000, 2000] } = options
  let phase: WalletPhase = 'idle'
  let creating: Promise<string> | undefined
  let abandoned: string | undefined
  let pressed: Funding = 'paypal'
  let approvedOrder: string | undefined
  /** Cart changes made in the wallet's window are not on the page yet. */
  let shipped = false
  let restarts = 0
  const me = {}
  /** An error that the page has already shown; the provider's script returns it. */
  let current: unknown
  let blocked: HTMLElement[] = []

  function enter(next: WalletPhase): void {
    phase = next
    if (next !== 'idle') underWay = me
    else if (underWay === me) underWay = undefined
    for (const region of blocked.splice(0)) unblock(region)
    if (next === 'finishing') {
      blocked = purchase.regions()
      blockAll(blocked, { colour: 'white' })
    }
    phaseChanged(next)
  }

  function end(): void {
    creating = undefined
    restarts = 0
    enter('idle')
  }

  function report(error: unknown): void {
    if (isWindowClosed(error)) return
    const failure = error instanceof ShopUnavailable ? (error.said ?? error) : error
    const known = failure instanceof PaymentFailure ? failure.markup || messageFor(failure, errorMessages) : undefined
    const text =
      known || (isUnanswered(failure) ? texts.unreachable : messageFor(failure, errorMessages)) || texts.failed
    showError(text, purchase.errorContainer())
    purchase.shownError(text)
  }

  /** Creates the order or token to approve, once for all callers. */
  function create(open: () => Promise<string>): Promise<string> {
    creating ??= (async () => {
      enter('creating')
      try {
        const id = await open()
        // The window may have been closed meanwhile.
        if (phase === 'creating') enter('approving')
        return id
      } catch (error) {
        current = error
        report(error)
        end()
        throw error
      }
    })()
    return creating
  }

  function leave(): void {
    if (shipped) purchase.refresh()
    shipped = false
    end()
  }

  async function finish(walletOrderId: string, wallet: OpenWallet | undefined): Promise<void> {
    approvedOrder = walletOrderId
    purchase.remember(walletOrderId)
    enter('finishing')
    try {
      if (wallet && !(await purchase.settled(wallet))) {
        abandoned = walletOrderId
        end()
        return
      }
      const fields = withOrder(purchase.fields(), walletOrderId)
      const answer = await retryUnanswered(() => calls.checkout(fields), retryPausesMs)
      if (answer.result === 'success') {
        goToWhenOnline(answer.redirect)
        return
      }
      if (answer.reload) {
        reloadPage()
        return
      }
      if (answer.refresh) purchase.refresh()
      const failure = new PaymentFailure('', {
        ...(answer.code ? { code: answer.code } : {}),
        ...(answer.messages ? { markup: answer.messages } : {}),
      })
      if (wallet && answer.code && restartCodes.includes(answer.code) && restarts < maxRestarts) {
        restarts += 1
        report(failure)
        enter('approving')
        wallet.restart()
        return
      }
      throw failure
    } catch (error) {
      report(error)
      if (isUnanswered(error)) {
        // It is unknown whether the order was placed: the approved wallet order is stored and sent again. The form
        // removes it with every error event.
        purchase.remember(walletOrderId)
        enter('failed')
        return
      }
      purchase.remember(undefined)
      approvedOrder = undefined
      end()
    }
  }

  return {
    callbacks: {
      clicked(funding) {
        trigger(document.body, walletEvents.click)
        if (phase !== 'idle' || underWay) return false
        current = undefined
        pressed = funding
        const obstacle = purchase.obstacle()
        if (obstacle && (obstacle.message || obstacle.code)) report(obstacle)
        return obstacle === undefined
      },

      createOrder: () =>
        create(async () => {
          abandoned = await purchase.createOrder(calls, { abandoned, funding: pressed })
          return abandoned
        }),

      createSetupToken: () => create(() => calls.createSetupToken(purchase.fields())),

      async shippingChanged({ walletOrderId, address, option }) {
        try {
          await calls.changeShipping({
            ...purchase.fields(),
            order_id: walletOrderId,
            ...(address ? { address } : {}),
            ...(option ? { shipping_method: option } : {}),
          })
          shipped = true
        } catch (error) {
          if (!(error instanceof PaymentFailure)) throw error
          throw new PaymentFailure(messageFor(error, errorMessages) ?? '', { cause: error })
        }
      },

      async approved(walletOrderId, wallet) {
        if (phase === 'finishing') return
        trigger(document.body, walletEvents.approve, walletOrderId)
        await finish(walletOrderId, wallet)
      },

      async kept(setupToken) {
        if (phase === 'finishing') return
        trigger(document.body, walletEvents.approve, setupToken)
        enter('finishing')
        try {
          const means = { setup_token: setupToken, payment_method: walletMethodId }
          const proceed = await purchase.kept(await retryUnanswered(() => calls.keep(means), retryPausesMs))
          end()
          proceed()
        } catch (error) {
          report(error)
          purchase.remember(undefined)
          end()
        }
      },

      cancelled(walletOrderId) {
        if (phase === 'finishing' || phase === 'failed') return
        abandoned = walletOrderId ?? abandoned
        trigger(document.body, walletEvents.cancel, abandoned)
        leave()
      },

      failed(error) {
        if (phase === 'finishing' || phase === 'failed') return
        trigger(document.body, walletEvents.error, current ?? error)
        if (current === undefined) report(error)
        current = undefined
        leave()
      },

      destroyed() {
        trigger(document.body, walletEvents.destroy)
        if (phase === 'creating' || phase === 'approving') end()
      },
    },

    async finishAgain() {
      if (phase === 'failed' && approvedOrder) await finish(approvedOrder, undefined)
    },

    reset: end,
  }
}

/** Retries unanswered requests, with a pause before each retry. */
async function retryUnanswered<Result>(work: () => Promise<Result>, pausesMs: readonly number[]): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!isUnanswered(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return work()
}
