import type { BankAccount } from '#contract/payments/method-settings.ts'
export type PaymentMethodFacts = {
  /** ppcp, cod */
  id: string
  title: string
  description: string
  orderButtonText: string
  chosen: boolean
  /** `card`: the provider's fields for a card belong into its box. */
  fields?: 'card'
  /** What the customer has kept of this method, the default first; absent or empty where there is nothing to choose. */
  kept?: readonly SavedMethodChoice[]
  /** The customer may keep what is used now for the next time. */
  canKeep?: boolean
}

/** A kept way to pay as the checkout offers it. */
export type SavedMethodChoice = {
  id: number
  /** Visa ending in 1111 (expires 04/27), or a wallet's address. */
  label: string
  /** Lower case, '' for a wallet. */
  brand: string
  chosen: boolean
}

/** What the customer is told of paying after the order was placed: words of the merchant, and where to transfer to. */
export type PaymentInstructions = { readonly text: string; readonly accounts: readonly BankAccount[] }
