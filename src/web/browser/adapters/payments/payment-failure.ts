import { paymentErrorCodes } from '#contract/payments/constants.ts'

/** Something about paying went wrong. A code finds the shop's own text for it. */
export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure'
  readonly code: string | undefined
  /** Notices as markup, ready to show in place of the message. */
  readonly markup: string | undefined

  constructor(message: string, { code, markup, cause }: { code?: string; markup?: string; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.markup = markup
  }
}

/** The terms must be accepted first. */
export const termsFailure = () => new PaymentFailure('The terms are not accepted.', { code: paymentErrorCodes.terms })

/** What the provider's script says when the buyer closes its window, which is no error to anybody. */
const closedWindow = /detected popup close|window (?:is )?closed|detected component window close|target window closed/i
/** What it says when a button goes together with the markup around it. */
const tornDown =
  /zoid destroyed all components|component (?:closed|destroyed)|window navigated away|detected iframe close/i

/** Whether an error says no more than that a window or button is gone. */
export function isWindowClosed(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error)
  return closedWindow.test(text) || tornDown.test(text)
}
