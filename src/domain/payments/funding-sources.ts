/** Ways to pay that have a button of their own. */
export const fundings = ['paypal', 'paylater', 'card', 'venmo'] as const
export type Funding = (typeof fundings)[number]

/** What the merchant wants: which buttons, in which order, and on which pages each of them. */
export type WantedFundings = {
  readonly funding: readonly string[]
  readonly order: readonly string[]
  readonly sections: Readonly<Record<Funding, readonly string[]>>
}

export type PaymentFlow = {
  /** The means is saved for later instead of being charged now. */
  readonly vault: boolean
  /** The address, and with it the total, is still to be chosen in the provider's window. */
  readonly shippingChanges: boolean
}

/**
 * The buttons for one page, in order; those that the order leaves out come last. The provider's window cannot change
 * shipping for Venmo, and pays by instalments only what is charged now.
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
 * Whether shipping is chosen in the provider's window: for something that is shipped and costs something, on every page
 * but those that know the address already.
 * @param total decimal text
 */
export function choosesShippingInWallet(page: string, needsShipping: boolean, total: string): boolean {
  return needsShipping && Number(total) > 0 && page !== 'checkout' && page !== 'order_pay'
}
