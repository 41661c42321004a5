import { restartCodes, walletEvents } from '#contract/payment-words.ts'
import { trigger } from '../events.ts'
import { goTo, reloadPage } from '../navigate.ts'
import { messageFor, showError } from '../notices.ts'
import { block, unblock } from '../overlay.ts'
import { isWindowGone, PaymentFailure } from './payment-failure.ts'
import type { AttemptCallbacks, OpenWallet } from './provider.ts'
import type { Purchase } from './purchase.ts'
import { isUnanswered, type PaymentCalls, ShopUnavailable } from './rest-calls.ts'

/**
 * Where one attempt to pay stands. Every exit (cancel, refusal, closed window, a script that is taken away) leads back to
 * `idle`; only an order that was approved and could not be handed to the shop is `failed`, until it can be.
 */
export type WalletPhase = 'idle' | 'creating' | 'approving' | 'finishing' | 'failed'

export type WalletAttempt = {
  readonly callbacks: AttemptCallbacks
  /** Hands the approved order to the shop once more, after `failed`. */
  finishAgain(): Promise<void>
  /** The page was taken out of the browser's memory: whatever was under way has ended. */
  reset(): void
}

type Options = {
  readonly calls: PaymentCalls
  readonly purchase: Purchase
  readonly errorMessages: Readonly<Record<string, string>>
  readonly texts: { unreachable: string; failed: string }
  phaseChanged(phase: WalletPhase): void
  /** Before the order is handed to the shop again; the pauses between tries in milliseconds. */
  readonly retryPausesMs?: readonly number[]
}

/** A declined means, three times over, is not worth a fourth window. */
const maxRestarts = 3

/** The way of one purchase through the wallet, from the press on its button to the page of the placed order. */
export function createAttempt(options: Options): WalletAttempt {
  const { calls, purchase, errorMessages, texts, phaseChanged, retryPausesMs = [1000, 2000] } = options
  let phase: WalletPhase = 'idle'
  let creating: Promise<string> | undefined
  let abandoned: string | undefined
  let approvedOrder: string | undefined
  let restarts = 0
  /** An error that the page has shown already; the provider's script brings it back. */
  let current: unknown
  let blocked: HTMLElement[] = []

  function enter(next: WalletPhase): void {
    phase = next
    for (const region of blocked.splice(0)) unblock(region)
    if (next === 'finishing') {
      blocked = purchase.regions()
      for (const region of blocked) block(region, { colour: 'white' })
    }
    phaseChanged(next)
  }

  function end(): void {
    creating = undefined
    restarts = 0
    enter('idle')
  }

  function report(error: unknown): void {
    if (isWindowGone(error)) return
    const failure = error instanceof ShopUnavailable ? (error.said ?? error) : error
    const known = failure instanceof PaymentFailure ? failure.markup || messageFor(failure, errorMessages) : undefined
    const text =
      known || (isUnanswered(failure) ? texts.unreachable : messageFor(failure, errorMessages)) || texts.failed
    showError(text, purchase.errorContainer())
    purchase.shownError(text)
  }

  async function finish(walletOrderId: string, wallet: OpenWallet | undefined): Promise<void> {
    approvedOrder = walletOrderId
    purchase.remember(walletOrderId)
    enter('finishing')
    try {
      const answer = await repeated(() => calls.checkout(purchase.checkoutFields(walletOrderId)), retryPausesMs)
      if (answer.result === 'success') {
        goTo(answer.redirect)
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
        // Whether the order was placed is not known: the approved wallet order is kept and handed over again.
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
      clicked() {
        trigger(document.body, walletEvents.click)
        if (phase !== 'idle') return false
        current = undefined
        const obstacle = purchase.obstacle()
        if (obstacle && (obstacle.message || obstacle.code)) report(obstacle)
        return obstacle === undefined
      },

      createOrder() {
        creating ??= (async () => {
          enter('creating')
          try {
            const walletOrderId = await purchase.createOrder(calls, abandoned)
            abandoned = walletOrderId
            // The window may have been closed meanwhile.
            if (phase === 'creating') enter('approving')
            return walletOrderId
          } catch (error) {
            current = error
            report(error)
            end()
            throw error
          }
        })()
        return creating
      },

      async approved(walletOrderId, wallet) {
        if (phase === 'finishing') return
        trigger(document.body, walletEvents.approve, walletOrderId)
        await finish(walletOrderId, wallet)
      },

      cancelled(walletOrderId) {
        if (phase === 'finishing' || phase === 'failed') return
        abandoned = walletOrderId ?? abandoned
        trigger(document.body, walletEvents.cancel, abandoned)
        end()
      },

      failed(error) {
        if (phase === 'finishing' || phase === 'failed') return
        trigger(document.body, walletEvents.error, current ?? error)
        if (current === undefined) report(error)
        current = undefined
        end()
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

/** Repeats what was not answered, with a pause before each further try. */
async function repeated<Result>(work: () => Promise<Result>, pausesMs: readonly number[]): Promise<Result> {
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
