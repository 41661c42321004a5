/** What the page's script, the button's frame and the wallet's window say to each other. */

export const CONNECT = 'paypal-emulator-connect'

export type FromFrame =
  | { kind: 'ready'; height: number }
  /** A click, and whether the browser let the window open. */
  | { kind: 'click'; fundingSource: string; opened: boolean }
  | Outcome
  | ({ kind: 'shipping' } & ShippingQuestion)
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string }

/** How the buyer left the wallet. */
export type Outcome = { kind: 'approved'; payerId: string } | { kind: 'cancelled' } | { kind: 'closed' }

export type ToFrame =
  | { kind: 'show'; target: WalletTarget }
  /** The attempt is over: close the window, accept the next click. */
  | { kind: 'finish' }
  | { kind: 'enabled'; on: boolean }
  | { kind: 'ask'; id: number; method: string; path: string; body: unknown }
  | ({ kind: 'shipping' } & ShippingVerdict)

/** What a wallet page tells whoever opened it; `token` is what it shows. */
export type FromWallet = { source: 'paypal-emulator-wallet'; token: string } & (
  | { outcome: Outcome }
  | { question: ShippingQuestion }
)

/** What a wallet page hears from whoever opened it. */
export type ToWallet = { source: 'paypal-emulator-page'; verdict: ShippingVerdict }

/** What the wallet's window is to show: an order to be paid, or something to be kept for later payments. */
export type WalletTarget = {
  kind: 'order' | 'setup' | 'agreement'
  id: string
  fundingSource: string
  /** Of a payer who is known to the shop. */
  userToken?: string
}

type Money = { currency_code: string; value: string }

/** The buyer has chosen another address or another way of shipping. Of the address only what the shop may see by now. */
export type ShippingQuestion = {
  id: number
  what: 'address' | 'option'
  amount: Money
  address: { city: string; state: string; country_code: string; postal_code: string }
  option?: { id: string; label: string; type?: string; selected: boolean; amount?: Money }
}

/** `own`: the page does not want to be asked, so the wallet decides by itself. */
export type ShippingVerdict = { id: number; verdict: 'accepted' | 'refused' | 'own'; message?: string }

/** The address of the page that shows the target, on the wallet's own origin. */
export function walletPath({ kind, id, fundingSource, userToken }: WalletTarget): string {
  const query = new URLSearchParams(
    kind === 'order' ? { token: id } : kind === 'setup' ? { approval_session_id: id } : { ba_token: id },
  )
  query.set('fundingSource', fundingSource)
  if (userToken !== undefined) query.set('userIDToken', userToken)
  return `${kind === 'order' ? '/checkoutnow' : '/agreements/approve'}?${query}`
}
