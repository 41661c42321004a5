/** Funding sources with a button of their own. */
export const fundings = ['paypal', 'paylater', 'card', 'venmo'] as const
export type Funding = (typeof fundings)[number]

/** The merchant's choice of buttons, their order, and the pages of each. */
export type WantedFundings = {
  readonly funding: readonly string[]
  readonly order: readonly string[]
  readonly sections: Readonly<Record<Funding, readonly string[]>>
}

export type PaymentFlow = {
  /** The payment method is saved for later instead of charged now. */
  readonly vault: boolean
  /** Address and total are still chosen in PayPal's window. */
  readonly shippingChanges: boolean
}

/**
 * Returns the buttons of one page in order; those missing in `order` come last. PayPal's window cannot change shipping
 * for Venmo, and Pay Later requires an immediate charge.
 */
export function offeredFundings(
  { funding, order, sections }: WantedFundings,
  page: string,
  flow: PaymentFlow,
): Funding[] {
  const place = (name: Funding) => (order.includes(name) ? order.indexOf(name) : order.length)
  return fundings
    .filter((name) => funding.includes(name) && sections[name].includes(page))
    .filter((name) => !(name === 'venmo' && flow.shippingChanges) && !(name === 'paylater' && flow.vault))
    .toSorted((a, b) => place(a) - place(b))
}

/**
 * Reports whether shipping is chosen in PayPal's window: for a shipped order with a total, on every page but those that
 * know the address already.
 * @param total decimal text
 */
export function choosesShippingInWallet(page: string, needsShipping: boolean, total: string): boolean {
  return needsShipping && Number(total) > 0 && page !== 'checkout' && page !== 'order_pay'
}
