import type { MailKind } from '#contract/mail/settings.ts'

/** A message as it would leave now, before it does. */
export type PreviewedMail = {
  readonly to: readonly string[]
  readonly subject: string
  /** Null where the merchant wants plain text alone. */
  readonly html: string | null
  readonly text: string
  /** The order that it was made of; null: an invented one, because the shop has none that fits. */
  readonly orderId: number | null
}

/**
 * What commands need of the messages. Messages are written in React, which runs built: `main.ts` hands the built desk in,
 * and whoever only reads orders never loads it.
 */
export type MailDesk = {
  /**
   * @param orderId null: the newest order
   * @param language a tag of the shop; left out: its own
   * @returns null when there is no such order
   */
  preview(kind: MailKind, orderId: number | null, language?: string): Promise<PreviewedMail | null>
  /** Sends what `preview` shows to one address, marked as a test. @returns where it went, a server or a folder */
  sendTest(mail: PreviewedMail, to: string): Promise<string>
  /** Whether the mail server takes the shop's word. @returns its host, null for none, and what is wrong, null for nothing */
  reach(): Promise<{ readonly to: string | null; readonly fault: string | null }>
}
