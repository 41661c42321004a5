import type { MessageStyle, WalletButtonStyle } from '#contract/payments/page-settings.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'

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
  /**
   * Draws what paying later would cost, or draws it anew in the same container.
   * @throws PaymentFailure when its script did not load
   */
  showMessage(container: HTMLElement, options: MessageOptions): Promise<void>
  /**
   * Draws the fields of a card into containers of the page's form.
   * @returns null when the provider takes no cards here
   * @throws PaymentFailure when its script did not load
   */
  mountCard(options: CardOptions): Promise<MountedCard | null>
  /**
   * Accelerated checkout; the same object for every call of a page.
   * @returns null when the merchant does not have it
   * @throws PaymentFailure when its script did not load
   */
  startAccelerated(options: AcceleratedOptions): Promise<Accelerated | null>
  /** Somebody tries again what failed, or has not come: the provider's script is loaded anew for what is asked next. */
  startOver(): void
}

export type CardField = 'name' | 'number' | 'expiry' | 'cvv'
export type CardFieldState = { readonly isEmpty: boolean; readonly isValid: boolean }

export type CardOptions = {
  readonly containers: Readonly<Record<Exclude<CardField, 'name'>, HTMLElement>> & { readonly name?: HTMLElement }
  readonly placeholders: Readonly<Partial<Record<CardField, string>>>
  /** CSS by selector, in the provider's words. */
  readonly styles: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly attempt: CardCallbacks
  /** A field says something of itself; `brand` is a brand in lower case while exactly one is possible. */
  changed(field: CardField, event: 'change' | 'focus' | 'blur', state: CardFieldState, brand: string | undefined): void
  /** Enter was pressed in a field. */
  submitted(): void
}

/** One attempt to pay by card, or to keep a card where `createSetupToken` is given. */
export type CardCallbacks = {
  createOrder(): Promise<string>
  createSetupToken?(): Promise<string>
  /** The card, and where it was asked for its bank, agreed. Nothing is taken yet. */
  approved(result: { walletOrderId?: string; setupToken?: string }): Promise<void>
  failed(error: unknown): void
  /** The bank's window was closed. */
  cancelled(): void
}

export type MountedCard = {
  /** @returns the state of every field that is shown. */
  state(): Promise<Partial<Record<CardField, CardFieldState>>>
  /**
   * Sends the card off: `attempt` tells how it went.
   * @throws PaymentFailure with the provider's code (`INVALID_NUMBER` …) when a field does not hold
   */
  submit(billing: CardBilling): Promise<void>
  focus(field: CardField): void
  /** Lets a field look and be read as one with a fault, or without; '' is none. */
  mark(field: CardField, fault: string): void
  close(): void
}

/** Parts of the billing address as the provider names them; empty ones are left out. */
export type CardBilling = { readonly name?: string; readonly address?: Readonly<Record<string, string>> }

export type AcceleratedOptions = {
  /** Countries to which the shop ships; all when empty. */
  readonly shipsTo: readonly string[]
  readonly cardholderName: boolean
  /** `de-DE` */
  readonly language: string
}

/** Cards that the provider knows by an e-mail address, for guests. */
export type Accelerated = {
  showWatermark(container: HTMLElement): Promise<void>
  /** @returns the key of somebody who is known; undefined: a stranger. */
  lookUp(email: string): Promise<string | undefined>
  /** Asks the one who is known to prove it. */
  authenticate(customer: string): Promise<Authentication>
  chooseAddress(): Promise<AcceleratedProfile['shipping'] | undefined>
  chooseCard(): Promise<AcceleratedCard | undefined>
  /** Draws a form for a card of somebody new. */
  mountPayment(container: HTMLElement, address: Readonly<Record<string, string>>): Promise<AcceleratedPayment>
}

export type Authentication =
  | { readonly state: 'succeeded'; readonly profile: AcceleratedProfile }
  | { readonly state: 'failed' | 'canceled' | 'unrecognized' }

/** Addresses carry the shop's own keys: `address_1`, `postcode` … */
export type AcceleratedProfile = {
  readonly name: string
  readonly shipping?: {
    readonly name: string
    readonly phone: string
    readonly address: Readonly<Record<string, string>>
  }
  readonly card?: AcceleratedCard
}

export type AcceleratedCard = {
  /** Works once, for three hours. */
  readonly token: string
  /** Lower case. */
  readonly brand: string
  readonly last4: string
  /** `2030-01` */
  readonly expiry: string
  readonly name: string
  readonly billing: Readonly<Record<string, string>>
}

export type AcceleratedPayment = {
  /** @throws PaymentFailure when the card's form does not hold */
  token(): Promise<AcceleratedCard>
  close(): void
}

export type WalletButtonOptions = {
  readonly funding: Funding
  readonly style: WalletButtonStyle
  readonly enabled: boolean
  readonly attempt: AttemptCallbacks
}

export type MessageOptions = {
  /** Decimal text. */
  readonly amount: string
  readonly currency: string
  readonly placement: MessagePlacement
  readonly style: MessageStyle
  /** It can be seen from now on. */
  shown(): void
}

export type MessagePlacement = 'cart' | 'payment' | 'product' | 'category'

export type MountedButton = {
  /** A disabled button opens no wallet. */
  setEnabled(enabled: boolean): void
  /** Ends the button; it may go while its container is already off the page. */
  close(): void
}

/** One attempt to pay, in the order in which the provider calls. */
export type AttemptCallbacks = {
  /** The button of a funding was pressed. False: nothing happens further. Must answer at once, since the wallet's window waits for it. */
  clicked(funding: Funding): boolean
  /** @returns the id of the provider's order; a rejection closes the wallet and comes back through `failed`. */
  createOrder(): Promise<string>
  /** Given where nothing is charged and the means is kept for later: then no order is made. @returns the setup token's id */
  createSetupToken?(): Promise<string>
  /** The buyer agreed. The wallet's window stays open until this settles. */
  approved(walletOrderId: string, wallet: OpenWallet): Promise<void>
  /** The buyer agreed that the means is kept. */
  kept?(setupToken: string): Promise<void>
  /**
   * The buyer has chosen another address or way of shipping in the wallet's window, which waits for the answer. Given only
   * where the page is to be asked.
   * @throws PaymentFailure when it cannot be sent there, or so
   */
  shippingChanged?(change: ShippingChange): Promise<void>
  /** The buyer left, by link or by closing the window. */
  cancelled(walletOrderId: string | undefined): void
  failed(error: unknown): void
  /** The button is gone, whoever took it away. */
  destroyed(): void
}

/** The owner of a wallet by the shop's keys; `''` is what the wallet keeps to itself. */
export type WalletPayer = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
  readonly billing?: WalletPlace
  readonly shipping?: WalletPlace & { readonly first_name: string; readonly last_name: string }
}

export type WalletPlace = {
  readonly address_1: string
  readonly address_2: string
  readonly city: string
  readonly state: string
  readonly postcode: string
  readonly country: string
}

export type ShippingChange = {
  readonly walletOrderId: string
  /** As far as the wallet gives it away before approval, by the shop's keys. */
  readonly address?: {
    readonly city: string
    readonly state: string
    readonly postcode: string
    readonly country: string
  }
  /** `0:flat_rate:3` */
  readonly option?: string
}

export type OpenWallet = {
  /** Shows the approval once more, for the same order. */
  restart(): void
  /** What the wallet says of its owner; undefined when it does not say it, or not soon. */
  payer(): Promise<WalletPayer | undefined>
}
