import { type Amount, amountFault, hundredths } from '../orders/amounts.ts'
import { endOldAuthorizations, voidAuthorization } from '../orders/authorization-life.ts'
import { addCapture, announceCapture } from '../orders/complete-order.ts'
import { isDisputed } from '../orders/disputes.ts'
import type { Authorization, Capture, Refund } from '../orders/order.ts'
import { authorizationResource, captureResource, refundView } from '../orders/order-view.ts'
import { DAY_MS } from '../world/clock.ts'
import { type ErrorSource, notFound, refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { validator } from './schemas.ts'

const document = 'payments_payment_v2'
const plain: ErrorSource = { document, prefix: '' }
/** Payments keep a request id for 45 days. */
const REMEMBERS_HOURS = 45 * 24
/** A re-authorisation is possible from the fourth day on. */
const HONOUR_MS = 3 * DAY_MS
/** A capture can be given back for this long. */
const REFUND_MS = 180 * DAY_MS

type PaymentRequest = {
  amount?: Amount
  invoice_id?: string
  custom_id?: string
  note_to_payer?: string
  final_capture?: boolean
}

export const paymentOperations: readonly Operation[] = [
  {
    name: 'authorizations.get',
    method: 'GET',
    path: '/v2/payments/authorizations/:id',
    errors: plain,
    run: (call) => shownAuthorization(call, 200, wantedAuthorization(call)),
  },
  {
    name: 'authorizations.capture',
    method: 'POST',
    path: '/v2/payments/authorizations/:id/capture',
    schema: validator(document, 'capture_request'),
    errors: plain,
    remembersHours: REMEMBERS_HOURS,
    run: captureAuthorization,
  },
  {
    name: 'authorizations.reauthorize',
    method: 'POST',
    path: '/v2/payments/authorizations/:id/reauthorize',
    schema: validator(document, 'reauthorize_request'),
    errors: { document, prefix: 'authorizations.reauthorize-' },
    remembersHours: REMEMBERS_HOURS,
    run: reauthorize,
  },
  {
    name: 'authorizations.void',
    method: 'POST',
    path: '/v2/payments/authorizations/:id/void',
    errors: { document, prefix: 'authorizations.void-' },
    remembersHours: REMEMBERS_HOURS,
    run: letGo,
  },
  {
    name: 'captures.get',
    method: 'GET',
    path: '/v2/payments/captures/:id',
    errors: plain,
    run: (call) => {
      const capture = wantedCapture(call)
      return { status: 200, show: () => captureResource(call.world, capture) }
    },
  },
  {
    name: 'captures.refund',
    method: 'POST',
    path: '/v2/payments/captures/:id/refund',
    schema: validator(document, 'refund_request'),
    errors: { document, prefix: 'captures.refund-' },
    remembersHours: REMEMBERS_HOURS,
    run: refundCapture,
  },
  {
    name: 'refunds.get',
    method: 'GET',
    path: '/v2/payments/refunds/:id',
    errors: plain,
    run: (call) => {
      const id = call.params.id ?? ''
      const refund = call.world.refunds.get(id)
      if (!refund) throw notFound(id, 'refund_id')
      return { status: 200, show: () => refundView(call.world, refund) }
    },
  },
]

function captureAuthorization(call: Call): Answer {
  const { world } = call
  const capture = collect(world, wantedAuthorization(call), paymentRequest(call))
  return { status: 201, show: () => captureResource(world, capture) }
}

/** Takes reserved money, whether the shop or the merchant at the provider asked for it. */
export function collect(world: Call['world'], authorization: Authorization, request: PaymentRequest): Capture {
  const nowMs = world.clock.now().getTime()
  if (authorization.expired || nowMs > authorization.expiresMs) throw refuse(422, 'AUTHORIZATION_EXPIRED')
  if (authorization.status === 'VOIDED') throw refuse(422, 'AUTHORIZATION_VOIDED')
  if (authorization.status === 'CAPTURED') throw refuse(422, 'AUTHORIZATION_ALREADY_CAPTURED')
  if (authorization.status === 'DENIED') throw refuse(422, 'AUTHORIZATION_DENIED')
  const size = sizeOf(request.amount, authorization.currency, 'AUTH_CAPTURE_CURRENCY_MISMATCH')
  const wanted = size ?? authorization.size - authorization.captured
  if (authorization.captured + wanted > mostOf(authorization)) throw refuse(422, 'MAX_CAPTURE_AMOUNT_EXCEEDED')
  const order = world.orders.get(authorization.orderId)
  if (!order) throw notFound(authorization.id, 'authorization_id')
  const invoiceId = request.invoice_id ?? authorization.invoiceId
  const paid = invoiceId === undefined ? undefined : world.paidInvoices.get(invoiceId)
  if (paid !== undefined && paid !== order.id) throw refuse(422, 'DUPLICATE_INVOICE_ID')

  const final = request.final_capture === true
  const wish = world.captureOverrides.shift()
  const capture = addCapture(world, order, {
    referenceId: authorization.referenceId,
    status: wish === 'PENDING_REVIEW' ? 'PENDING' : (wish ?? 'COMPLETED'),
    size: wanted,
    currency: authorization.currency,
    final,
    authorizationId: authorization.id,
    ...(authorization.processor ? { processor: authorization.processor } : {}),
    ...(authorization.customId === undefined ? {} : { customId: authorization.customId }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
  })
  if (wish === 'PENDING_REVIEW') capture.reason = wish
  announceCapture(world, capture)
  if (capture.status === 'DECLINED') return capture
  authorization.captured += wanted
  authorization.status = final || authorization.captured >= authorization.size ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  authorization.updatedMs = nowMs
  return capture
}

/** 115 % of what was reserved, or 75 units more, whichever is less. */
function mostOf({ size }: Authorization): bigint {
  const more = (size * 15n) / 100n
  return size + (more < 7_500n ? more : 7_500n)
}

function reauthorize(call: Call): Answer {
  const authorization = wantedAuthorization(call)
  const request = paymentRequest(call)
  const nowMs = call.world.clock.now().getTime()
  if (authorization.expired) throw refuse(422, 'AUTHORIZATION_EXPIRED')
  if (authorization.status === 'VOIDED') throw refuse(422, 'AUTHORIZATION_VOIDED')
  if (authorization.status === 'CAPTURED') throw refuse(422, 'AUTHORIZATION_ALREADY_CAPTURED')
  if (authorization.reauthorized) throw refuse(422, 'REAUTHORIZATION_NOT_SUPPORTED')
  if (nowMs - authorization.createdMs < HONOUR_MS) throw refuse(422, 'REAUTHORIZATION_TOO_SOON')
  authorization.size = sizeOf(request.amount, authorization.currency, 'AUTH_CURRENCY_MISMATCH') ?? authorization.size
  authorization.reauthorized = true
  authorization.updatedMs = nowMs
  return shownAuthorization(call, 201, authorization)
}

function letGo(call: Call): Answer {
  const authorization = wantedAuthorization(call)
  if (authorization.status === 'VOIDED') throw refuse(422, 'PREVIOUSLY_VOIDED')
  if (authorization.captured > 0n) throw refuse(422, 'PREVIOUSLY_CAPTURED')
  voidAuthorization(call.world, authorization)
  return call.prefer === 'minimal' ? { status: 204 } : shownAuthorization(call, 200, authorization)
}

function refundCapture(call: Call): Answer {
  const { world } = call
  const capture = wantedCapture(call)
  const request = paymentRequest(call)
  const refund = giveBack(call.world, capture, request)
  return { status: 201, show: () => refundView(world, refund) }
}

/**
 * Books a refund, whether the shop or the merchant at the provider asked for it. `reversed`: the provider took the
 * money back itself, as after a lost dispute.
 */
export function giveBack(
  world: Call['world'],
  capture: Capture,
  request: PaymentRequest,
  how: 'refunded' | 'reversed' = 'refunded',
): Refund {
  const nowMs = world.clock.now().getTime()
  if (capture.status === 'PENDING') throw refuse(422, 'PENDING_CAPTURE')
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') throw refuse(422, 'REFUND_NOT_ALLOWED')
  const left = capture.size - capture.refunded - pendingOf(world, capture)
  if (left === 0n) throw refuse(422, 'CAPTURE_FULLY_REFUNDED')
  if (nowMs - capture.createdMs > REFUND_MS) throw refuse(422, 'REFUND_TIME_LIMIT_EXCEEDED')
  const size = sizeOf(request.amount, capture.currency, 'REFUND_CAPTURE_CURRENCY_MISMATCH') ?? left
  if (size > left) throw refuse(422, 'REFUND_AMOUNT_EXCEEDED')
  if (how === 'refunded' && size < left && isDisputed(world, capture)) throw refuse(422, 'TRANSACTION_DISPUTED')

  const customId = request.custom_id ?? capture.customId
  const invoiceId = request.invoice_id ?? capture.invoiceId
  const refund: Refund = {
    id: world.ids.resource(),
    status: (how === 'refunded' ? world.refundOverrides.shift() : undefined) ?? 'COMPLETED',
    captureId: capture.id,
    orderId: capture.orderId,
    size,
    currency: capture.currency,
    createdMs: nowMs,
    updatedMs: nowMs,
    ...(customId === undefined ? {} : { customId }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(request.note_to_payer === undefined ? {} : { note: request.note_to_payer }),
  }
  world.refunds.set(refund.id, refund)
  capture.refundIds.push(refund.id)
  if (refund.status === 'COMPLETED') payOut(world, capture, refund, how)
  return refund
}

/** A refund that waited goes to the buyer, or fails: then what it held can be given back anew. */
export function settleRefund(world: Call['world'], refund: Refund, status: 'COMPLETED' | 'FAILED'): void {
  refund.status = status
  refund.updatedMs = world.clock.now().getTime()
  const capture = world.captures.get(refund.captureId)
  // PayPal names no event for a refund that fails: who asks for it learns it.
  if (status === 'COMPLETED' && capture) payOut(world, capture, refund, 'refunded')
}

/** What is promised to the buyer already. */
function pendingOf(world: Call['world'], capture: Capture): bigint {
  return capture.refundIds
    .flatMap((id) => world.refunds.get(id) ?? [])
    .reduce((sum, { status, size }) => (status === 'PENDING' ? sum + size : sum), 0n)
}

function payOut(world: Call['world'], capture: Capture, refund: Refund, how: 'refunded' | 'reversed'): void {
  capture.refunded += refund.size
  capture.status = capture.refunded === capture.size ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  capture.updatedMs = refund.updatedMs
  world.webhooks.emit({
    type: how === 'refunded' ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.CAPTURE.REVERSED',
    resourceType: 'refund',
    summary: `A capture payment was ${how}`,
    resource: () => ({
      ...refundView(world, refund),
      supplementary_data: { related_ids: { order_id: refund.orderId, capture_id: refund.captureId } },
    }),
  })
}

function sizeOf(amount: Amount | undefined, currency: string, mismatch: string): bigint | undefined {
  if (!amount) return undefined
  const fault = amountFault(amount, 'more-than-zero')
  if (fault) throw refuse(422, fault, { field: '/amount/value', value: amount.value, location: 'body' })
  if (amount.currency_code !== currency) {
    throw refuse(422, mismatch, { field: '/amount/currency_code', value: amount.currency_code, location: 'body' })
  }
  return hundredths(amount)
}

/** The schemas of the three calls have these fields and no other that is acted on. */
function paymentRequest(call: Call): PaymentRequest {
  return call.body as PaymentRequest
}

function shownAuthorization({ world }: Call, status: number, authorization: Authorization): Answer {
  return { status, show: () => authorizationResource(world, authorization) }
}

function wantedAuthorization({ world, params }: Call): Authorization {
  const id = params.id ?? ''
  endOldAuthorizations(world)
  const authorization = world.authorizations.get(id)
  if (!authorization) throw notFound(id, 'authorization_id')
  return authorization
}

function wantedCapture({ world, params }: Call): Capture {
  const id = params.id ?? ''
  const capture = world.captures.get(id)
  if (!capture) throw notFound(id, 'capture_id')
  return capture
}
