import type { MessageStyle, WalletButtonStyle } from '#contract/payments/page-settings.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'

/**
 * The interface of a wallet provider in the browser. Each script generation has an adapter; only adapters use the
 * provider's own objects.
 */
export type PaymentProvider = {
  /**
   * Renders a wallet button into a container without other writers.
   * @returns null when the provider does not offer this funding here
   * @throws PaymentFailure when its script did not load
   */
  mountButton(container: HTMLElement, options: WalletButtonOptions): Promise<MountedButton | null>
  /**
   * Renders a pay-later message, or replaces it in the same container.
   * @throws PaymentFailure when its script did not load
   */
  showMessage(container: HTMLElement, options: MessageOptions): Promise<void>
  /**
   * Renders card fields into containers of the page's form.
   * @returns null when the provider takes no cards here
   * @throws PaymentFailure when its script did not load
   */
  mountCard(options: CardOptions): Promise<MountedCard | null>
  /**
   * Starts accelerated checkout; returns the same object for every call of a page.
   * @returns null when the merchant is not enabled for it
   * @throws PaymentFailure when its script did not load
   */
  startAccelerated(options: AcceleratedOptions): Promise<Accelerated | null>
  /** Retries after a failure or a timeout: the next request loads the provider's script again. */
  startOver(): void
}

export type CardField = 'name' | 'number' | 'expiry' | 'cvv'
export type CardFieldState = { readonly isEmpty: boolean; readonly isValid: boolean }

export type CardOptions = {
  readonly containers: Readonly<Record<Exclude<CardField, 'name'>, HTMLElement>> & { readonly name?: HTMLElement }
  readonly placeholders: Readonly<Partial<Record<CardField, string>>>
  /** CSS by selector, with the provider's selectors. */
  readonly styles: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly attempt: CardCallbacks
  /** Reports a field's event; `brand` is a brand in lower case while exactly one is possible. */
  changed(field: CardField, event: 'change' | 'focus' | 'blur', state: CardFieldState, brand: string | undefined): void
  /** Enter was pressed in a field. */
  submitted(): void
}

/** An attempt to pay by card, or to save a card where `createSetupToken` is given. */
export type CardCallbacks = {
  createOrder(): Promise<string>
  createSetupToken?(): Promise<string>
  /** The card is approved, by its bank too where required. Nothing is captured yet. */
  approved(result: { walletOrderId?: string; setupToken?: string }): Promise<void>
  failed(error: unknown): void
  /** The bank's window was closed. */
  cancelled(): void
}

export type MountedCard = {
  /** @returns the state of every visible field. */
  state(): Promise<Partial<Record<CardField, CardFieldState>>>
  /**
   * Submits the card; the attempt's callbacks report the result.
   * @throws PaymentFailure with the provider's code (`INVALID_NUMBER` …) for an invalid field
   */
  submit(billing: CardBilling): Promise<void>
  focus(field: CardField): void
  /** Marks a field as invalid, visually and for screen readers; '' clears the mark. */
  mark(field: CardField, fault: string): void
  close(): void
}

/** Parts of the billing address by the provider's keys; empty parts are left out. */
export type CardBilling = { readonly name?: string; readonly address?: Readonly<Record<string, string>> }

export type AcceleratedOptions = {
  /** Countries to which the shop ships; all when empty. */
  readonly shipsTo: readonly string[]
  readonly cardholderName: boolean
  /** `de-DE` */
  readonly language: string
}

/** Cards that the provider stores by email address, for guests. */
export type Accelerated = {
  showWatermark(container: HTMLElement): Promise<void>
  /** @returns the key of a known customer; undefined for an unknown one. */
  lookUp(email: string): Promise<string | undefined>
  /** Authenticates a known customer. */
  authenticate(customer: string): Promise<Authentication>
  chooseAddress(): Promise<AcceleratedProfile['shipping'] | undefined>
  chooseCard(): Promise<AcceleratedCard | undefined>
  /** Renders a card form for an unknown customer. */
  mountPayment(container: HTMLElement, address: Readonly<Record<string, string>>): Promise<AcceleratedPayment>
}

export type Authentication =
  | { readonly state: 'succeeded'; readonly profile: AcceleratedProfile }
  | { readonly state: 'failed' | 'canceled' | 'unrecognized' }

/** Addresses use the shop's own keys: `address_1`, `postcode` … */
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
  /** A single-use token, valid for three hours. */
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
  /** @throws PaymentFailure when the card form is invalid */
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
  /** The container is visible from now on. */
  shown(): void
}

export type MessagePlacement = 'cart' | 'payment' | 'product' | 'category'

export type MountedButton = {
  /** A disabled button opens no wallet. */
  setEnabled(enabled: boolean): void
  /** Ends the button; its container may already be off the page. */
  close(): void
}

/** An attempt to pay; callbacks in the order of the provider's calls. */
export type AttemptCallbacks = {
  /** A button was pressed. False cancels. It must answer synchronously, since the wallet's window waits for it. */
  clicked(funding: Funding): boolean
  /** @returns the id of the provider's order; a rejection closes the wallet and is reported to `failed`. */
  createOrder(): Promise<string>
  /**
   * Given where nothing is charged and the payment method is saved: no order is created then. @returns the setup
   * token's id
   */
  createSetupToken?(): Promise<string>
  /** The buyer approved. The wallet's window stays open until this settles. */
  approved(walletOrderId: string, wallet: OpenWallet): Promise<void>
  /** The buyer approved saving the payment method. */
  kept?(setupToken: string): Promise<void>
  /**
   * The buyer has chosen another address or shipping method in the wallet's window, which waits for the response. Given
   * only where the page has to be asked.
   * @throws PaymentFailure when the shop cannot ship there, or by that method
   */
  shippingChanged?(change: ShippingChange): Promise<void>
  /** The buyer cancelled, by link or by closing the window. */
  cancelled(walletOrderId: string | undefined): void
  failed(error: unknown): void
  /** The button was removed, by the page or by the script. */
  destroyed(): void
}

/** The owner of a wallet by the shop's keys; `''` for data that the wallet does not share. */
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
  /** Data that the wallet shares before approval, by the shop's keys. */
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
  /** Shows the approval again, for the same order. */
  restart(): void
  /** Returns the wallet's owner; undefined when the wallet does not share it in time. */
  payer(): Promise<WalletPayer | undefined>
}
