import type { Tools } from '../shared/tools.ts'
import type { CheckoutRequest, CheckoutResult, PlacedCheckout } from './checkout-stages.ts'
import { closeCheckout } from './close-purchase.ts'
import { evaluateCheckout } from './evaluate-checkout.ts'
import { identifyShopper } from './identify-shopper.ts'
import { payPlacedOrder } from './pay-placed-order.ts'
import { placeCheckoutOrder } from './place-checkout-order.ts'

/**
 * Submits a parsed checkout form, from any endpoint, through the stages: evaluate, identify, place, pay, close. Each
 * may end the checkout; an ended one is only closed.
 */
export async function submitCheckout(tools: Tools, request: CheckoutRequest): Promise<CheckoutResult> {
  const evaluated = await evaluateCheckout(tools, request)
  const identified = evaluated.kind === 'ended' ? evaluated : await identifyShopper(tools, evaluated)
  const placed = identified.kind === 'ended' ? identified : await placeCheckoutOrder(tools, identified)
  if (placed.kind === 'batch-refused') {
    return submitCheckout(tools, { ...request, looked: undefined, isAlone: true })
  }
  return payAndClose(tools, placed)
}

/** The last two stages, for orders that are placed or approved already. */
export async function payAndClose(tools: Tools, placed: PlacedCheckout): Promise<CheckoutResult> {
  const outcome = placed.kind === 'ended' ? placed.outcome : await payPlacedOrder(tools, placed)
  return closeCheckout(tools, placed.session, outcome)
}
