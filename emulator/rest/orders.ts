import { liveOrder } from '../orders/approve-order.ts'
import { authorizeOrder, captureOrder } from '../orders/complete-order.ts'
import { awaitsBank, type ConfirmRequest, confirmOrder, confirmSource, takeSource } from '../orders/confirm-source.ts'
import type { Order } from '../orders/order.ts'
import { type OrderRequest, readExperience, readUnits } from '../orders/order-request.ts'
import { readSource, type SourceRequest } from '../orders/order-source.ts'
import { completionSummary, orderRepresentation, orderSummary } from '../orders/order-view.ts'
import { type PatchOperation, patchOrder } from '../orders/patch-order.ts'
import { addTracker, patchTracker, type TrackingRequest } from '../orders/tracking.ts'
import { notFound, refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { trackerPatch, trackingRequest, validator } from './schemas.ts'

const document = 'checkout_orders_v2'
/** Orders keep a request id for six hours. */
const REMEMBERS_HOURS = 6

export const orderOperations: readonly Operation[] = [
  {
    name: 'orders.create',
    method: 'POST',
    path: '/v2/checkout/orders',
    schema: validator(document, 'order_request'),
    errors: { document, prefix: '' },
    remembersHours: REMEMBERS_HOURS,
    run: createOrder,
  },
  {
    name: 'orders.get',
    method: 'GET',
    path: '/v2/checkout/orders/:id',
    errors: { document, prefix: '' },
    run: (call) => {
      const order = wanted(call)
      return { status: 200, show: () => orderRepresentation(call.world, order) }
    },
  },
  {
    name: 'orders.patch',
    method: 'PATCH',
    path: '/v2/checkout/orders/:id',
    schema: validator(document, 'patch_request'),
    errors: { document, prefix: 'orders.patch-' },
    run: (call) => {
      const order = wanted(call)
      // The schema says: a list of operations.
      patchOrder(order, call.body as PatchOperation[])
      order.updatedMs = call.world.clock.now().getTime()
      return { status: 204 }
    },
  },
  {
    name: 'orders.confirm',
    method: 'POST',
    path: '/v2/checkout/orders/:id/confirm-payment-source',
    schema: validator(document, 'confirm_order_request'),
    errors: { document, prefix: 'orders.confirm-' },
    run: confirmPaymentSource,
  },
  completion('orders.capture', 'capture', 'order_capture_request', captureOrder),
  completion('orders.authorize', 'authorize', 'order_authorize_request', authorizeOrder),
  {
    name: 'orders.track',
    method: 'POST',
    path: '/v2/checkout/orders/:id/track',
    schema: trackingRequest,
    errors: { document, prefix: 'orders.track.create-' },
    remembersHours: REMEMBERS_HOURS,
    run: (call) => {
      const order = wanted(call)
      // The schema says: a tracking request.
      const isNew = addTracker(call.world, order, call.body as TrackingRequest)
      return { status: isNew ? 201 : 200, show: () => completionSummary(call.world, order) }
    },
  },
  {
    name: 'trackers.patch',
    method: 'PATCH',
    path: '/v2/checkout/orders/:id/trackers/:trackerId',
    schema: trackerPatch,
    errors: { document, prefix: 'orders.trackers.patch-' },
    run: (call) => {
      // The schema says: a list of operations.
      patchTracker(call.world, wanted(call), call.params.trackerId ?? '', call.body as PatchOperation[])
      return { status: 204 }
    },
  },
]

function completion(
  name: string,
  action: 'capture' | 'authorize',
  schema: string,
  complete: (world: Call['world'], order: Order) => void,
): Operation {
  return {
    name,
    method: 'POST',
    path: `/v2/checkout/orders/:id/${action}`,
    schema: validator(document, schema),
    errors: { document, prefix: `orders.${action}-` },
    remembersHours: REMEMBERS_HOURS,
    whileDelayed: (call) => {
      const order = liveOrder(call.world, call.params.id ?? '')
      if (!order) return undefined
      if (order.completing) throw refuse(422, 'ORDER_COMPLETION_IN_PROGRESS')
      order.completing = true
      return () => {
        order.completing = false
      }
    },
    run: (call) => {
      const { world } = call
      const order = wanted(call)
      // The schema says what a request may hold.
      const { payment_source } = call.body as { payment_source?: SourceRequest }
      if (payment_source) confirmWithCompletion(call, order, payment_source)
      complete(world, order)
      return {
        status: 201,
        show: (prefer) =>
          prefer === 'representation' ? orderRepresentation(world, order) : completionSummary(world, order),
      }
    },
  }
}

function createOrder({ world, body, requestId }: Call): Answer {
  // The schema says: an order request.
  const request = body as OrderRequest
  const read = readSource(world, request.payment_source)
  const { source } = read
  const experience = readExperience(request)
  if (read.completes && requestId === undefined) throw refuse(400, 'PAYPAL_REQUEST_ID_REQUIRED')
  const nowMs = world.clock.now().getTime()
  const units = readUnits(request.purchase_units, experience.shippingPreference)
  const order: Order = {
    id: world.ids.resource(),
    intent: request.intent,
    // A card that is not there yet will come from the script's fields.
    status: source.kind === 'none' || source.kind === 'card' ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    units,
    source,
    experience,
    createdMs: nowMs,
    updatedMs: nowMs,
    declined: false,
    declines: units.some(({ custom_id: sale }) => sale !== undefined && world.declinedFor.has(sale)) ? 1 : 0,
    completing: false,
    captureIds: [],
    authorizationIds: [],
    trackers: [],
  }
  if (read.completes) payWithoutApproval(world, order, read)
  world.orders.set(order.id, order)
  return { status: 201, show: shownOrder(world, order, read.completes) }
}

/** A kept means, a card or an agreement pays in the call that creates the order, unless a bank wants to see its owner. */
function payWithoutApproval(world: Call['world'], order: Order, read: ReturnType<typeof readSource>): void {
  takeSource(order, read)
  if (awaitsBank(order)) {
    order.status = 'PAYER_ACTION_REQUIRED'
    return
  }
  order.status = 'APPROVED'
  order.approvedMs = world.clock.now().getTime()
  if (order.intent === 'CAPTURE') captureOrder(world, order)
  else authorizeOrder(world, order)
}

function confirmPaymentSource(call: Call): Answer {
  const { world } = call
  const order = wanted(call)
  // The schema says: a confirm request.
  confirmOrder(world, order, call.body as ConfirmRequest)
  return { status: 200, show: shownOrder(world, order, false) }
}

/** What pays may be named by the call that collects. A wallet without a kept token must have been approved before. */
function confirmWithCompletion(call: Call, order: Order, request: SourceRequest): void {
  const read = readSource(call.world, request)
  if (!read.completes || order.status === 'COMPLETED') return
  if (call.requestId === undefined) throw refuse(400, 'PAYPAL_REQUEST_ID_REQUIRED')
  confirmSource(call.world, order, read)
}

function shownOrder(world: Call['world'], order: Order, completed: boolean) {
  return (prefer: Call['prefer']) => {
    if (prefer === 'representation') return orderRepresentation(world, order)
    return completed ? completionSummary(world, order) : orderSummary(world, order)
  }
}

function wanted({ world, params }: Call): Order {
  const id = params.id ?? ''
  const order = liveOrder(world, id)
  if (!order) throw notFound(id, 'order_id')
  return order
}
