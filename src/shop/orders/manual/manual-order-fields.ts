import type { V3OrderWrite } from '#contract/orders/v3-order-input.ts'
import { findCustomer } from '#database/customers/customers.ts'
import { changedAddress } from '../../addresses/program-address.ts'
import type { AddressState } from '../../customers/sessions/session-state.ts'
import { methodTitle } from '../../payments/operation/payment-methods.ts'
import { changedMetaData, type StoredMetaData } from '../../shared/meta-data.ts'
import type { Tools } from '../../shared/tools.ts'
import { type Manual, manualFault } from './manual-order.ts'

/** Columns of an order that a program writes, beside its lines and its status. */
export type ManualFields = {
  readonly customer_id: number | null
  readonly billing: AddressState
  readonly shipping: AddressState
  readonly customer_note: string
  readonly payment_method: string
  readonly payment_method_title: string
  readonly transaction_id: string | null
  readonly meta_data: StoredMetaData
}

type Before = Omit<ManualFields, 'billing' | 'shipping' | 'meta_data'> & {
  readonly billing: object
  readonly shipping: object
  readonly meta_data: object
}

const newOrder: Before = {
  customer_id: null,
  billing: {},
  shipping: {},
  customer_note: '',
  payment_method: '',
  payment_method_title: '',
  transaction_id: null,
  meta_data: {},
}

/**
 * Applies the fields of a request to an order.
 * @param before null for a new order
 */
export async function manualFields(
  tools: Tools,
  given: V3OrderWrite,
  before: Before | null,
): Promise<Manual<ManualFields>> {
  const { settings, db } = tools
  const old = before ?? newOrder
  if (given.currency !== undefined && given.currency !== settings.currency)
    return manualFault('currency', `must be ${settings.currency}: orders of programs are in the shop's currency`)
  const customerId = given.customer_id === undefined ? old.customer_id : given.customer_id || null
  if (customerId !== null && customerId !== old.customer_id && !(await findCustomer(db.kysely, customerId)))
    return manualFault('customer_id', `There is no customer ${customerId}.`)
  const billing = changedAddress(old.billing, given.billing ?? {})
  if (!billing.ok) return manualFault('billing', billing.problem)
  const shipping = changedAddress(old.shipping, given.shipping ?? {})
  if (!shipping.ok) return manualFault('shipping', shipping.problem)
  const metaData = changedMetaData(old.meta_data, given.meta_data ?? [])
  if (!metaData.ok) return manualFault('meta_data', metaData.problem)
  const method = given.payment_method ?? old.payment_method
  const title = given.payment_method_title ?? (method === old.payment_method ? old.payment_method_title : null)
  return {
    ok: true,
    value: {
      customer_id: customerId,
      billing: billing.address,
      shipping: shipping.address,
      customer_note: given.customer_note ?? old.customer_note,
      payment_method: method,
      payment_method_title: title ?? methodTitle(settings, method) ?? method,
      transaction_id: given.transaction_id === undefined ? old.transaction_id : given.transaction_id || null,
      meta_data: metaData.column,
    },
  }
}
