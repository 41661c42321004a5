import { compare, type Money, money } from '../money/money.ts'
import { multiplyRounded } from '../money/round.ts'
import type { AddedInput } from './totals-input.ts'

/** A fee or rebate of the merchant. All of its conditions must hold. */
export type FeeRule = {
  readonly name: string
  /** Negative: a rebate. A percentage is in parts per million of the goods after discounts, without tax. */
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
    /** Destination: `US`, or `US:CA` for one state. */
    readonly country: string | null
    readonly needsShipping: boolean | null
  }
}

export type FeeFacts = {
  /** After discounts, without tax. */
  readonly goods: Money
  /** Before discounts, in the cart's display tax mode and in the currency of the bounds. */
  readonly displayedSubtotal: Money
  /** Empty while none is chosen. */
  readonly paymentMethod: string
  readonly country: string
  readonly state: string
  readonly needsShipping: boolean
}

/** Returns the fees of a cart, in the merchant's order. Zero amounts are left out. */
export function feesFor(rules: readonly FeeRule[], facts: FeeFacts): AddedInput['fees'] {
  return rules
    .filter(({ when }) => applies(when, facts))
    .map(({ name, charge, taxable, taxClass }) => ({ name, amount: amountOf(charge, facts.goods), taxable, taxClass }))
    .filter(({ amount }) => amount.minor !== 0)
}

/** Reports whether the price of a cart depends on the payment method. */
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
