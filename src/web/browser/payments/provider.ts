import type { WalletButtonStyle } from '#contract/payment-settings.ts'

/**
 * What the shop's pages know of a wallet provider in the browser. Adapters stand behind it, one per script generation;
 * nothing above this file sees the provider's own objects.
 */
export type PaymentProvider = {
  /**
   * Draws one wallet button into a container that nothing else writes to.
   * @returns null when the provider does not offer this funding here
   * @throws PaymentFailure when its script did not load
   */
  mountButton(container: HTMLElement, options: WalletButtonOptions): Promise<MountedButton | null>
}

export type Funding = 'paypal'

export type WalletButtonOptions = {
  readonly funding: Funding
  readonly style: WalletButtonStyle
  readonly enabled: boolean
  readonly attempt: AttemptCallbacks
}

export type MountedButton = {
  /** A disabled button opens no wallet. */
  setEnabled(enabled: boolean): void
  /** Ends the button; it may go while its container is already off the page. */
  close(): void
}

/** One attempt to pay, in the order in which the provider calls. */
export type AttemptCallbacks = {
  /** Pressed. False: nothing happens further. Must answer at once, since the wallet's window waits for it. */
  clicked(): boolean
  /** @returns the id of the provider's order; a rejection closes the wallet and comes back through `failed`. */
  createOrder(): Promise<string>
  /** The buyer agreed. The wallet's window stays open until this settles. */
  approved(walletOrderId: string, wallet: OpenWallet): Promise<void>
  /** The buyer left, by link or by closing the window. */
  cancelled(walletOrderId: string | undefined): void
  failed(error: unknown): void
  /** The button is gone, whoever took it away. */
  destroyed(): void
}

export type OpenWallet = {
  /** Shows the approval once more, for the same order. */
  restart(): void
}
