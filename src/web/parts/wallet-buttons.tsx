export type WalletPage = 'product' | 'cart' | 'minicart' | 'checkout'

/** The place where the wallet's buttons appear on a page, and the form that pays by redirect without scripts. */
export function WalletButtons(_: { page: WalletPage }) {
  return null
}
