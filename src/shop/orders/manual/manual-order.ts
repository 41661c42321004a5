import type { AddressState } from '../../customers/sessions/session-state.ts'

/** Amounts of a line without tax, in minor units; the second only without coupons. */
export type WrittenAmounts = { readonly subtotal: number; readonly total: number; readonly includesTax: boolean }

/** A product of an order that a program writes. */
export type ManualLine = {
  /** Item of the order that the line continues; it keeps its id. */
  readonly itemId: number | null
  /** The variation, or the product. */
  readonly soldId: number
  readonly quantity: number
  /** Attribute slug → value, for the options that a variation leaves open. */
  readonly attributes: Readonly<Record<string, string>>
  /** Null: the product's price. */
  readonly amounts: WrittenAmounts | null
}

export type ManualShipping = {
  readonly itemId: number | null
  /** `flat_rate:2` */
  readonly rateId: string
  readonly label: string
  /** Minor units, without tax. */
  readonly cost: number
  readonly taxable: boolean
}

export type ManualFee = {
  readonly itemId: number | null
  readonly name: string
  /** Minor units, without tax; negative: a rebate. */
  readonly amount: number
  readonly taxable: boolean
  readonly taxClass: string
}

/** Everything from which an order without a cart is calculated. */
export type ManualOrder = {
  readonly sessionId: string
  readonly customerId: number | null
  readonly billing: AddressState
  readonly shipping: AddressState
  readonly paymentMethod: string
  readonly lines: readonly ManualLine[]
  readonly shippingLines: readonly ManualShipping[]
  readonly fees: readonly ManualFee[]
  /** Codes, in lower case. */
  readonly coupons: readonly string[]
}

/** Faults of an order by the parameter of the interface. */
export type ManualFault = { readonly parameter: string; readonly problem: string }
export type Manual<Value> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & ManualFault)

export const manualFault = (parameter: string, problem: string) => ({ ok: false, parameter, problem }) as const
