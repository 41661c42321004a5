import type { MailKind } from '#contract/mail/settings.ts'

/** A preview of an email in its current form. */
export type PreviewedMail = {
  readonly to: readonly string[]
  readonly subject: string
  /** Null if the merchant wants plain text only. */
  readonly html: string | null
  readonly text: string
  /** The order that it shows; null: an example, because the shop has no suitable one. */
  readonly orderId: number | null
}

/**
 * Email functions for commands. Emails are written in React, which must be built: `main.ts` injects the built module,
 * and commands that only read orders never load it.
 */
export type MailDesk = {
  /**
   * @param orderId null: the newest order
   * @param language a language of the shop; absent: its own
   * @returns null if the order does not exist
   */
  preview(kind: MailKind, orderId: number | null, language?: string): Promise<PreviewedMail | null>
  /** Sends a preview to one address, marked as a test. @returns its destination, a server or a folder */
  sendTest(mail: PreviewedMail, to: string): Promise<string>
  /**
   * Checks whether the mail server accepts the shop's login. @returns its host, null for none, and the fault, null for
   * none
   */
  reach(): Promise<{ readonly to: string | null; readonly fault: string | null }>
}
