import { compare, type Money, money } from '../money/money.ts'
import { multiplyRounded } from '../money/round.ts'
import type { AddedInput } from './totals-input.ts'

/** Something that the merchant adds to orders, or takes off them, under conditions. All that are set must hold. */
export type FeeRule = {
  readonly name: string
  /** Below zero: a rebate. A percent is parts per million of the goods after discounts, without tax. */
  readonly charge:
    | { readonly kind: 'amount'; readonly amount: Money }
    | { readonly kind: 'percent'; readonly ppm: number }
  readonly taxable: boolean
  readonly taxClass: string
  readonly when: {
    /** Both bounds included, in the shop's own currency. */
    readonly minSubtotal: Money | null
    readonly maxSubtotal: Money | null
    readonly paymentMethod: string | null
    /** Where the order goes: `US`, or `US:CA` for one state. */
    readonly country: string | null
    readonly needsShipping: boolean | null
  }
}

export type FeeFacts = {
  /** After discounts, without tax. */
  readonly goods: Money
  /** Before discounts, in the cart's display tax mode and in the currency of the bounds, whichever is shown. */
  readonly displayedSubtotal: Money
  /** Empty while none is chosen. */
  readonly paymentMethod: string
  readonly country: string
  readonly state: string
  readonly needsShipping: boolean
}

/** The fees of a cart, in the merchant's order. What comes to nothing is left out. */
export function feesFor(rules: readonly FeeRule[], facts: FeeFacts): AddedInput['fees'] {
  return rules
    .filter(({ when }) => applies(when, facts))
    .map(({ name, charge, taxable, taxClass }) => ({ name, amount: amountOf(charge, facts.goods), taxable, taxClass }))
    .filter(({ amount }) => amount.minor !== 0)
}

/** Whether what a cart costs depends on how it is paid. */
export function followMethod(rules: readonly FeeRule[]): boolean {
  return rules.some(({ when }) => when.paymentMethod !== null)
}

function applies(when: FeeRule['when'], facts: FeeFacts): boolean {
  const { displayedSubtotal, country, state } = facts
  return (
    (when.minSubtotal === null || compare(displayedSubtotal, when.minSubtotal) >= 0) &&
    (when.maxSubtotal === null || compare(displayedSubtotal, when.maxSubtotal) <= 0) &&
    (when.paymentMethod === null || when.paymentMethod === facts.paymentMethod) &&
    (when.country === null || when.country === country || when.country === `${country}:${state}`) &&
    (when.needsShipping === null || when.needsShipping === facts.needsShipping)
  )
}

function amountOf(charge: FeeRule['charge'], goods: Money): Money {
  if (charge.kind === 'amount') return charge.amount
  return money(multiplyRounded(goods.minor, charge.ppm, 1_000_000, 'half-up'), goods.currency)
}
