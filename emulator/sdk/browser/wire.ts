/** What the page's script and the button's frame say to each other, over a MessageChannel of their own. */

export const CONNECT = 'paypal-emulator-connect'

export type FromFrame =
  | { kind: 'ready'; height: number }
  /** A click, and whether the browser let the window open. */
  | { kind: 'click'; fundingSource: string; opened: boolean }
  | Outcome
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string }

/** How the buyer left the wallet. */
export type Outcome = { kind: 'approved'; payerId: string } | { kind: 'cancelled' } | { kind: 'closed' }

export type ToFrame =
  | { kind: 'show'; orderId: string }
  /** The attempt is over: close the window, accept the next click. */
  | { kind: 'finish' }
  | { kind: 'enabled'; on: boolean }
  | { kind: 'ask'; id: number; method: string; path: string; body: unknown }

/** What a wallet page tells whoever opened it. */
export type FromWallet = { source: 'paypal-emulator-wallet'; token: string; outcome: Outcome }
