import { liveOrder } from '../orders/approve-order.ts'
import { authorizeOrder, captureOrder } from '../orders/complete-order.ts'
import type { Order } from '../orders/order.ts'
import { type OrderRequest, readExperience, readSource, readUnits } from '../orders/order-request.ts'
import { completionSummary, orderRepresentation, orderSummary } from '../orders/order-view.ts'
import { type PatchOperation, patchOrder } from '../orders/patch-order.ts'
import { notFound, refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { validator } from './schemas.ts'

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
      const { payment_source } = call.body as Partial<OrderRequest>
      if (payment_source) readSource(payment_source)
      complete(world, order)
      return {
        status: 201,
        show: (prefer) =>
          prefer === 'representation' ? orderRepresentation(world, order) : completionSummary(world, order),
      }
    },
  }
}

function createOrder({ world, body }: Call): Answer {
  // The schema says: an order request.
  const request = body as OrderRequest
  const source = readSource(request.payment_source)
  const experience = readExperience(request)
  const nowMs = world.clock.now().getTime()
  const order: Order = {
    id: world.ids.resource(),
    intent: request.intent,
    status: source.kind === 'none' ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    units: readUnits(request.purchase_units, experience.shippingPreference),
    source,
    experience,
    createdMs: nowMs,
    updatedMs: nowMs,
    declined: false,
    declines: 0,
    completing: false,
    captureIds: [],
    authorizationIds: [],
  }
  world.orders.set(order.id, order)
  return {
    status: 201,
    show: (prefer) => (prefer === 'representation' ? orderRepresentation(world, order) : orderSummary(world, order)),
  }
}

function confirmPaymentSource(call: Call): Answer {
  const { world } = call
  const order = wanted(call)
  // The schema says: a confirm request.
  const request = call.body as Pick<OrderRequest, 'payment_source' | 'application_context'>
  if (order.status === 'COMPLETED') {
    throw refuse(422, order.intent === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  }
  if (order.status === 'APPROVED') throw refuse(422, 'PAYMENT_ALREADY_APPROVED')
  const source = readSource(request.payment_source)
  if (source.kind === 'none')
    throw refuse(422, 'NO_PAYMENT_SOURCE_PROVIDED', { field: '/payment_source', location: 'body' })
  const experience = readExperience(request)
  readUnits(order.units, experience.shippingPreference)
  order.source = source
  order.experience = { ...order.experience, ...experience }
  order.status = 'PAYER_ACTION_REQUIRED'
  order.updatedMs = world.clock.now().getTime()
  return {
    status: 200,
    show: (prefer) => (prefer === 'representation' ? orderRepresentation(world, order) : orderSummary(world, order)),
  }
}

function wanted({ world, params }: Call): Order {
  const id = params.id ?? ''
  const order = liveOrder(world, id)
  if (!order) throw notFound(id, 'order_id')
  return order
}
