import type { StoreCheckoutRecord, StorePaymentResult } from '#contract/checkout/store-checkout.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { AddressState } from '#shop/customers/sessions/session-state.ts'
import { addressRecord } from '../cart/cart-record.ts'

/** Returns an order in the format of the checkout. */
export function checkoutRecord(order: OrderRow, result: StorePaymentResult | null): StoreCheckoutRecord {
  // Written by the stages of a checkout alone, with this type.
  const [billing, shipping] = [order.billing as Partial<AddressState>, order.shipping as Partial<AddressState>]
  return {
    order_id: order.id,
    status: order.status,
    order_key: order.key,
    order_number: String(order.id),
    customer_note: order.customer_note,
    customer_id: order.customer_id ?? 0,
    billing_address: { ...addressRecord(billing), email: billing.email ?? '' },
    shipping_address: addressRecord(shipping),
    payment_method: order.payment_method,
    payment_result: result,
    additional_fields: {},
    extensions: {},
  }
}
