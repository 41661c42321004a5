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
import { markUnderWay, walletUnderWay } from './wallet-under-way.ts'

/**
 * The phase of an attempt to pay. Every exit (cancel, refusal, closed window, removed script) leads back to `idle`;
 * only an approved order that the shop has not received is `failed`, until it is delivered.
 */
export type WalletPhase = 'idle' | 'creating' | 'approving' | 'finishing' | 'failed'

export type AttemptTexts = { readonly unreachable: string; readonly failed: string }

type Options = {
  readonly calls: PaymentCalls
  readonly purchase: Purchase
  readonly errorMessages: Readonly<Record<string, string>>
  readonly texts: AttemptTexts
  phaseChanged(phase: WalletPhase): void
}

type Progress = {
  phase: WalletPhase
  /** Funding source of the pressed button. */
  pressed: Funding
  /** The order or token to approve, once requested. */
  creating?: Promise<string> | undefined
  /** The wallet order created or approved last: after a cancelled attempt the shop may use it again. */
  walletOrder?: string | undefined
  /** Cart changes made in the wallet's window are not on the page yet. */
  shipped: boolean
  restarts: number
  /** An error that the page has already shown; the provider's script returns it. */
  shown?: unknown
  blocked: HTMLElement[]
}

/** Back-off in milliseconds before each retry of an unanswered request. */
const retryPausesMs = [1000, 2000]

/** After three declined payment methods the wallet is not opened again. */
const maxRestarts = 3

/** Creates an attempt: from the press on a wallet button to the page of the placed order. */
export function createAttempt({ calls, purchase, errorMessages, texts, phaseChanged }: Options) {
  const attempt: Progress = { phase: 'idle', pressed: 'paypal', shipped: false, restarts: 0, blocked: [] }

  function enter(phase: WalletPhase): void {
    if (phase !== attempt.phase) markUnderWay(phase !== 'idle')
    attempt.phase = phase
    for (const region of attempt.blocked) unblock(region)
    attempt.blocked = phase === 'finishing' ? purchase.regions() : []
    blockAll(attempt.blocked, { colour: 'white' })
    phaseChanged(phase)
  }

  function end(): void {
    attempt.creating = undefined
    attempt.restarts = 0
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
    attempt.creating ??= (async () => {
      enter('creating')
      try {
        const id = await open()
        // The window may have been closed meanwhile.
        if (attempt.phase === 'creating') enter('approving')
        return id
      } catch (error) {
        attempt.shown = error
        report(error)
        end()
        throw error
      }
    })()
    return attempt.creating
  }

  function leave(): void {
    if (attempt.shipped) purchase.refresh()
    attempt.shipped = false
    end()
  }

  async function finish(walletOrderId: string, wallet: OpenWallet | undefined): Promise<void> {
    attempt.walletOrder = walletOrderId
    purchase.remember(walletOrderId)
    enter('finishing')
    try {
      if (wallet && !(await purchase.settled(wallet))) {
        end()
        return
      }
      const fields = withOrder(purchase.fields(), walletOrderId)
      const answer = await retryUnanswered(() => calls.checkout(fields))
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
      if (wallet && answer.code && restartCodes.includes(answer.code) && attempt.restarts < maxRestarts) {
        attempt.restarts += 1
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
      end()
    }
  }

  const callbacks: Required<AttemptCallbacks> = {
    clicked(funding) {
      trigger(document.body, walletEvents.click)
      if (walletUnderWay()) return false
      attempt.shown = undefined
      attempt.pressed = funding
      const obstacle = purchase.obstacle()
      if (obstacle && (obstacle.message || obstacle.code)) report(obstacle)
      return obstacle === undefined
    },

    createOrder: () =>
      create(async () => {
        const { walletOrder: abandoned, pressed: funding } = attempt
        attempt.walletOrder = await purchase.createOrder(calls, { abandoned, funding })
        return attempt.walletOrder
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
        attempt.shipped = true
      } catch (error) {
        if (!(error instanceof PaymentFailure)) throw error
        throw new PaymentFailure(messageFor(error, errorMessages) ?? '', { cause: error })
      }
    },

    async approved(walletOrderId, wallet) {
      if (attempt.phase === 'finishing') return
      trigger(document.body, walletEvents.approve, walletOrderId)
      await finish(walletOrderId, wallet)
    },

    async kept(setupToken) {
      if (attempt.phase === 'finishing') return
      trigger(document.body, walletEvents.approve, setupToken)
      enter('finishing')
      try {
        const means = { setup_token: setupToken, payment_method: walletMethodId }
        const proceed = await purchase.kept(await retryUnanswered(() => calls.keep(means)))
        end()
        proceed()
      } catch (error) {
        report(error)
        purchase.remember(undefined)
        end()
      }
    },

    cancelled(walletOrderId) {
      if (attempt.phase === 'finishing' || attempt.phase === 'failed') return
      attempt.walletOrder = walletOrderId ?? attempt.walletOrder
      trigger(document.body, walletEvents.cancel, attempt.walletOrder)
      leave()
    },

    failed(error) {
      if (attempt.phase === 'finishing' || attempt.phase === 'failed') return
      trigger(document.body, walletEvents.error, attempt.shown ?? error)
      if (attempt.shown === undefined) report(error)
      attempt.shown = undefined
      leave()
    },

    destroyed() {
      trigger(document.body, walletEvents.destroy)
      if (attempt.phase === 'creating' || attempt.phase === 'approving') end()
    },
  }

  return {
    callbacks,
    get phase() {
      return attempt.phase
    },
    /** Sends the approved order to the shop again, after `failed`. */
    async finishAgain() {
      if (attempt.phase === 'failed' && attempt.walletOrder) await finish(attempt.walletOrder, undefined)
    },
    /** The page was restored from the back/forward cache: the attempt in progress has ended. */
    reset: end,
  }
}

export type WalletAttempt = ReturnType<typeof createAttempt>

/** Retries unanswered requests, with a pause before each retry. */
async function retryUnanswered<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of retryPausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!isUnanswered(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return work()
}
