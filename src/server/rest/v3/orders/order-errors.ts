import type { EditResult } from '#shop/orders/manual/edit-manual-order.ts'
import type { MerchantTransitionResult } from '#shop/orders/transition-by-merchant.ts'
import type { TrashResult } from '#shop/orders/trash-order.ts'
import { invalidParam, unknownId, V3Error } from '../resource/v3-error.ts'

export const unknownOrder = () => unknownId('shop_order')

type Refused<Result> = Extract<Result, { ok: false }>

/** Returns the error of a refused creation or change. */
export function editError(refusal: Refused<EditResult>): V3Error {
  switch (refusal.reason) {
    case 'not-found':
      return unknownOrder()
    case 'invalid':
      return invalidParam(refusal.parameter, refusal.problem)
    case 'sold-out':
      return new V3Error(
        400,
        'woocommerce_rest_shop_order_out_of_stock',
        refusal.productId === 0
          ? 'A product of this order is out of stock.'
          : `Product ${refusal.productId} is out of stock: ${refusal.available} available.`,
      )
    case 'coupon-used-up':
      return new V3Error(400, 'woocommerce_rest_invalid_coupon', `The coupon "${refusal.code}" is used up.`)
    case 'not-editable':
      return new V3Error(
        400,
        'woocommerce_rest_shop_order_not_editable',
        'The lines of this order cannot be changed: it is paid, in payment, or no longer open.',
      )
    case 'erased':
      return new V3Error(
        400,
        'woocommerce_rest_shop_order_erased',
        'The personal data of this order were erased, or are about to be.',
      )
    case 'paid-by-provider':
      return new V3Error(
        400,
        'woocommerce_rest_shop_order_paid_by_provider',
        'Payment method and transaction of this order follow its payment at the provider.',
      )
    case 'busy':
      return new V3Error(409, 'woocommerce_rest_shop_order_busy', 'The order is being changed by others. Try again.')
  }
}

const transitionTexts = {
  'not-allowed': 'The order cannot change to this status.',
  'sold-out': 'A product of this order is out of stock.',
  'coupon-used-up': 'A coupon of this order is used up.',
  'money-under-way': 'A payment of this order is in progress at the provider.',
  'refund-instead': 'Create a refund instead: the status follows.',
  imported: 'The order was imported from another shop: it does not change.',
  'held-money-stays': 'The provider did not capture or void the authorization.',
} as const

export function transitionError({ reason }: Refused<MerchantTransitionResult>): V3Error {
  if (reason === 'not-found') return unknownOrder()
  return new V3Error(400, 'woocommerce_rest_shop_order_invalid_status', transitionTexts[reason])
}

export function trashError({ reason }: Refused<TrashResult>): V3Error {
  switch (reason) {
    case 'not-found':
      return unknownOrder()
    case 'already-trashed':
      return new V3Error(410, 'woocommerce_rest_already_trashed', 'The order has already been trashed.')
    case 'money-under-way':
      return new V3Error(
        409,
        'woocommerce_rest_shop_order_payment_in_progress',
        'Money of this order is authorized, disputed, in review or on its way.',
      )
    case 'has-payment':
      return new V3Error(
        409,
        'woocommerce_rest_shop_order_has_payment',
        'The provider moved money for this order: it can be moved to the trash, and not be deleted.',
      )
  }
}
