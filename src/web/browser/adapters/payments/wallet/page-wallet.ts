import type { ButtonPage } from '#contract/payments/constants.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { messageFor, showError } from '../../notices/notices.ts'
import { PaymentFailure } from '../payment-failure.ts'
import { payPalV5 } from '../paypal-v5.ts'
import { paymentCalls } from '../rest-calls.ts'
import type { ReadyTexts } from './approval-state.ts'
import { type ButtonSet, buttonsOn, callbacksOn, mountButtons } from './button-set.ts'
import { type AttemptTexts, createAttempt, type WalletAttempt, type WalletPhase } from './wallet-attempt.ts'
import { errorContainer, purchaseOn } from './wallet-page.ts'

/** The form of some pages finishes an approved payment: only they have the texts for it. */
export type WalletTexts = AttemptTexts & Partial<ReadyTexts>

type Options = {
  readonly page: ButtonPage
  readonly texts: WalletTexts
  phaseChanged(phase: WalletPhase): void
}

/** Result of a rendering: the buttons that the provider offers; `kept`: the earlier ones stay. */
export type Drawn = readonly Funding[] | 'failed' | 'kept'

/** The provider's buttons in one place of a page, and the attempt to pay by them. */
export class PageWallet {
  readonly #options: Options
  #buttons: ButtonSet | undefined
  #enabled = false
  #attempt: Promise<WalletAttempt> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Renders the buttons that the page offers now into the slots below `place`. Earlier ones stay until then, so that
   * there is no moment without any, and longer while a payment is in progress.
   * @param stale aborts when the result is no longer wanted
   */
  async draw(place: HTMLElement, settings: PaymentSettings, stale: AbortSignal): Promise<Drawn> {
    const { page } = this.#options
    try {
      const attempt = await this.#attemptWith(settings)
      const next = await mountButtons(payPalV5(settings), place, buttonsOn(page, settings), {
        buttons: settings.ppcp_data.buttons,
        enabled: this.#enabled,
        attempt: callbacksOn(page, settings, attempt.callbacks),
      })
      if (stale.aborted || (this.#buttons && attempt.phase !== 'idle')) {
        next.close()
        return 'kept'
      }
      this.#buttons?.close()
      this.#buttons = next
      next.setEnabled(this.#enabled)
      return next.fundings
    } catch (error) {
      if (!stale.aborted) this.#report(error, settings)
      return 'failed'
    }
  }

  setEnabled(enabled: boolean): void {
    this.#enabled = enabled
    this.#buttons?.setEnabled(enabled)
  }

  isIntact = (): boolean => this.#buttons?.isIntact() ?? true
  finishAgain = async (): Promise<void> => (await this.#attempt)?.finishAgain()
  reset = async (): Promise<void> => (await this.#attempt)?.reset()

  close(): void {
    this.#buttons?.close()
    void this.reset()
  }

  #attemptWith({ generalData, errorMessages }: PaymentSettings): Promise<WalletAttempt> {
    const { page, texts, phaseChanged } = this.#options
    const { ready = '', cancel = '' } = texts
    this.#attempt ??= purchaseOn(page, { ready, cancel }).then(
      (purchase) => createAttempt({ calls: paymentCalls(generalData), purchase, errorMessages, texts, phaseChanged }),
      (error) => {
        // The next rendering tries again.
        this.#attempt = undefined
        throw error
      },
    )
    return this.#attempt
  }

  #report(error: unknown, { errorMessages }: PaymentSettings): void {
    // The loader has logged its own failures. Those with a code concern the shop and are shown like any other error.
    if (!(error instanceof PaymentFailure)) console.error('the payment button could not be drawn', error)
    else if (error.code)
      showError(messageFor(error, errorMessages) ?? error.message, errorContainer(this.#options.page))
  }
}
