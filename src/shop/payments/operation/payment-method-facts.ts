import type { BankAccount } from '#contract/payments/method-settings.ts'
export type PaymentMethodFacts = {
  /** `ppcp`, `cod`, … */
  id: string
  title: string
  description: string
  orderButtonText: string
  chosen: boolean
  /** `card`: PayPal's card fields belong into its box. */
  fields?: 'card'
  /** Saved payment methods of the customer, the default first; absent or empty where there is no choice. */
  kept?: readonly SavedMethodChoice[]
  /** The customer may save the payment method for later. */
  canKeep?: boolean
}

/** A saved payment method as the checkout offers it. */
export type SavedMethodChoice = {
  id: number
  /** Visa ending in 1111 (expires 04/27), or a wallet's address. */
  label: string
  /** Lower case, '' for a wallet. */
  brand: string
  chosen: boolean
}

/** Payment instructions of a placed order: the merchant's text, and the bank accounts to transfer to. */
export type PaymentInstructions = { readonly text: string; readonly accounts: readonly BankAccount[] }
