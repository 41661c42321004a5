import type { ButtonOptions } from './button-options.ts'
import type { FrameLink } from './frame-link.ts'

export type AttemptTools = {
  link: FrameLink
  origin: string
  currency: string
  intent: string
  vault: boolean
  /** Of a payer who is known to the shop. */
  userToken: string | undefined
  /** As they are now: `updateProps` may change them during an attempt. */
  options(): ButtonOptions
  isEnabled(): boolean
  /** Reports an error to the page, each error object once. */
  report(error: unknown): void
}

/** Leads the whole page elsewhere, the wallet's window closed. */
export function leaveFor(link: FrameLink, url: string): Promise<void> {
  if (!/^https?:\/\//.test(url)) throw new Error(`Invalid redirect url: ${url} - must be fully qualified url`)
  link.send({ kind: 'finish' })
  location.assign(url)
  return Promise.resolve()
}
