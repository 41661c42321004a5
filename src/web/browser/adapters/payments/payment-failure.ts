import { paymentErrorCodes } from '#contract/payments/constants.ts'

/** A payment error. Its code selects the shop's own text. */
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

/** The script's messages for a window that the buyer closed, which is not an error. */
const closedWindow = /detected popup close|window (?:is )?closed|detected component window close|target window closed/i
/** Its messages for a button that is removed together with its markup. */
const tornDown =
  /zoid destroyed all components|component (?:closed|destroyed)|window navigated away|detected iframe close/i

/** Returns true if an error only reports a closed window or a removed button. */
export function isWindowClosed(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error)
  return closedWindow.test(text) || tornDown.test(text)
}
