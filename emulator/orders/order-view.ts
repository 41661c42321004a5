import type { Link } from '../rest/error-bodies.ts'
import { authenticationView } from '../vault/authentication.ts'
import { timestamp } from '../world/clock.ts'
import { MERCHANT, type World } from '../world/world.ts'
import { amountOf, feeOn } from './amounts.ts'
import type {
  Authorization,
  Capture,
  Order,
  PaymentSource,
  ProcessorAnswer,
  PurchaseUnit,
  Refund,
  Tracker,
} from './order.ts'

/** What GET and `Prefer: return=representation` answer. */
export function orderRepresentation(world: World, order: Order): object {
  return {
    id: order.id,
    intent: order.intent,
    status: order.status,
    ...sourceView(order),
    purchase_units: order.units.map((unit) => ({
      ...unit,
      ...shippingView(world, order, unit),
      payee: MERCHANT,
      ...paymentsView(world, order, unit.reference_id),
    })),
    ...payerView(order),
    create_time: timestamp(new Date(order.createdMs)),
    update_time: timestamp(new Date(order.updatedMs)),
    links: orderLinks(world, order),
  }
}

/** What create and confirm answer by default. */
export function orderSummary(world: World, order: Order): object {
  return { id: order.id, status: order.status, ...sourceView(order), links: orderLinks(world, order) }
}

/** What capture and authorise answer by default: the payments, not the whole order. */
export function completionSummary(world: World, order: Order): object {
  return {
    id: order.id,
    status: order.status,
    ...sourceView(order),
    purchase_units: order.units.map((unit) => ({
      reference_id: unit.reference_id,
      ...shippingView(world, order, unit),
      ...paymentsView(world, order, unit.reference_id),
    })),
    ...payerView(order),
    links: orderLinks(world, order),
  }
}

/** Where a unit is sent, with the parcels that were reported. */
function shippingView(world: World, order: Order, { shipping }: PurchaseUnit): object {
  if (!shipping && order.trackers.length === 0) return {}
  const trackers = order.trackers.map((tracker) => trackerView(world, order, tracker))
  return { shipping: { ...shipping, ...(trackers.length > 0 ? { trackers } : {}) } }
}

function trackerView(world: World, order: Order, tracker: Tracker): object {
  const up = `${world.origin}/v2/checkout/orders/${order.id}`
  return {
    id: tracker.id,
    status: tracker.status,
    ...(tracker.items ? { items: tracker.items } : {}),
    links: [
      { href: up, rel: 'up', method: 'GET' },
      { href: `${up}/trackers/${tracker.id}`, rel: 'update', method: 'PATCH' },
    ],
    create_time: timestamp(new Date(tracker.createdMs)),
    update_time: timestamp(new Date(tracker.updatedMs)),
  }
}

export function orderLinks(world: World, order: Order): Link[] {
  const self = `${world.origin}/v2/checkout/orders/${order.id}`
  const links: Link[] = [{ href: self, rel: 'self', method: 'GET' }]
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') return links
  const update: Link = { href: self, rel: 'update', method: 'PATCH' }
  const completion = order.intent === 'CAPTURE' ? 'capture' : 'authorize'
  const complete: Link = { href: `${self}/${completion}`, rel: completion, method: 'POST' }
  if (order.status === 'APPROVED') return [...links, update, complete]
  if (order.status === 'PAYER_ACTION_REQUIRED') return [...links, payerAction(world, order, 'payer-action')]
  return [...links, payerAction(world, order, 'approve'), update, complete]
}

export function payerAction(world: World, order: Order, rel: 'payer-action' | 'approve' | 'redirect'): Link {
  const page = order.source.kind === 'card' ? 'threedsecure' : 'checkoutnow'
  return { href: `${world.origin}/${page}?token=${order.id}`, rel, method: 'GET' }
}

export function captureView(world: World, capture: Capture): object {
  const { size, currency } = capture
  const fee = feeOn(size, currency)
  const self = `${world.origin}/v2/payments/captures/${capture.id}`
  const paid = capture.status === 'COMPLETED' || capture.refunded > 0n
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.reason ? { status_details: { reason: capture.reason } } : {}),
    amount: amountOf(size, currency),
    final_capture: capture.final,
    ...processorView(capture),
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    ...(paid
      ? {
          seller_receivable_breakdown: {
            gross_amount: amountOf(size, currency),
            paypal_fee: amountOf(fee, currency),
            net_amount: amountOf(size - fee, currency),
          },
        }
      : {}),
    ...own(capture),
    create_time: timestamp(new Date(capture.createdMs)),
    update_time: timestamp(new Date(capture.updatedMs)),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      { href: `${world.origin}/v2/checkout/orders/${capture.orderId}`, rel: 'up', method: 'GET' },
    ],
  }
}

/** A capture asked for by itself also says what it belongs to. */
export function captureResource(world: World, capture: Capture): object {
  const authorization = capture.authorizationId ? { authorization_id: capture.authorizationId } : {}
  return {
    ...captureView(world, capture),
    payee: MERCHANT,
    supplementary_data: { related_ids: { order_id: capture.orderId, ...authorization } },
  }
}

export function authorizationView(world: World, authorization: Authorization): object {
  const self = `${world.origin}/v2/payments/authorizations/${authorization.id}`
  return {
    id: authorization.id,
    status: authorization.status,
    amount: amountOf(authorization.size, authorization.currency),
    ...processorView(authorization),
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    expiration_time: timestamp(new Date(authorization.expiresMs)),
    ...own(authorization),
    create_time: timestamp(new Date(authorization.createdMs)),
    update_time: timestamp(new Date(authorization.updatedMs)),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/capture`, rel: 'capture', method: 'POST' },
      { href: `${self}/void`, rel: 'void', method: 'POST' },
      { href: `${self}/reauthorize`, rel: 'reauthorize', method: 'POST' },
      { href: `${world.origin}/v2/checkout/orders/${authorization.orderId}`, rel: 'up', method: 'GET' },
    ],
  }
}

export function authorizationResource(world: World, authorization: Authorization): object {
  return {
    ...authorizationView(world, authorization),
    payee: MERCHANT,
    supplementary_data: { related_ids: { order_id: authorization.orderId } },
  }
}

export function refundView(world: World, refund: Refund): object {
  const amount = amountOf(refund.size, refund.currency)
  const captured = world.captures.get(refund.captureId)
  return {
    id: refund.id,
    status: refund.status,
    ...(refund.status === 'PENDING' ? { status_details: { reason: 'ECHECK' } } : {}),
    amount,
    ...own(refund),
    ...(refund.note === undefined ? {} : { note_to_payer: refund.note }),
    seller_payable_breakdown: {
      gross_amount: amount,
      paypal_fee: amountOf(0n, refund.currency),
      net_amount: amount,
      total_refunded_amount: amountOf(captured?.refunded ?? refund.size, refund.currency),
    },
    create_time: timestamp(new Date(refund.createdMs)),
    update_time: timestamp(new Date(refund.updatedMs)),
    links: [
      { href: `${world.origin}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${world.origin}/v2/payments/captures/${refund.captureId}`, rel: 'up', method: 'GET' },
    ],
  }
}

function processorView({ processor }: { processor?: ProcessorAnswer }): object {
  if (!processor) return {}
  const { avsCode, cvvCode, responseCode } = processor
  return { processor_response: { avs_code: avsCode, cvv_code: cvvCode, response_code: responseCode } }
}

function own(payment: { customId?: string; invoiceId?: string }): object {
  return {
    ...(payment.customId === undefined ? {} : { custom_id: payment.customId }),
    ...(payment.invoiceId === undefined ? {} : { invoice_id: payment.invoiceId }),
  }
}

function paymentsView(world: World, order: Order, referenceId: PurchaseUnit['reference_id']): object {
  const ofUnit = <P extends { referenceId: string }>(table: Map<string, P>, ids: readonly string[]) =>
    ids.flatMap((id) => table.get(id) ?? []).filter((payment) => payment.referenceId === referenceId)
  const captures = ofUnit(world.captures, order.captureIds)
  const authorizations = ofUnit(world.authorizations, order.authorizationIds)
  const refunds = captures.flatMap((capture) => capture.refundIds.flatMap((id) => world.refunds.get(id) ?? []))
  if (captures.length + authorizations.length === 0) return {}
  return {
    payments: {
      ...(authorizations.length > 0
        ? { authorizations: authorizations.map((authorization) => authorizationView(world, authorization)) }
        : {}),
      ...(captures.length > 0 ? { captures: captures.map((capture) => captureView(world, capture)) } : {}),
      ...(refunds.length > 0 ? { refunds: refunds.map((refund) => refundView(world, refund)) } : {}),
    },
  }
}

function sourceView(order: Order): object {
  const { source, buyer } = order
  if (source.kind === 'none' && order.approvedMs === undefined) return {}
  if (source.kind === 'card') return { payment_source: { card: cardView(order, source) } }
  const name = source.kind === 'venmo' ? 'venmo' : 'paypal'
  if (!buyer || order.approvedMs === undefined) return { payment_source: { [name]: {} } }
  const account = {
    email_address: buyer.email,
    account_id: buyer.payerId,
    name: { given_name: buyer.givenName, surname: buyer.surname },
    address: { country_code: buyer.countryCode },
    ...attributesView(order),
  }
  const more = name === 'venmo' ? { user_name: buyer.givenName } : { account_status: 'VERIFIED' }
  return { payment_source: { [name]: { ...account, ...more } } }
}

function cardView(order: Order, { card }: Extract<PaymentSource, { kind: 'card' }>): object {
  if (!card) return {}
  return {
    ...(card.name === undefined ? {} : { name: card.name }),
    last_digits: card.lastDigits,
    brand: card.brand,
    type: 'CREDIT',
    ...(card.expiry === undefined ? {} : { expiry: card.expiry }),
    ...(order.authentication ? { authentication_result: authenticationView(order.authentication) } : {}),
    ...attributesView(order),
  }
}

/** What was kept with the payment; a token that comes later is not told here. */
function attributesView({ kept }: Order): object {
  if (!kept) return {}
  const { id, customerId } = kept.token
  const customer = { id: customerId }
  return {
    attributes: { vault: kept.later ? { status: 'APPROVED', customer } : { id, status: 'VAULTED', customer } },
  }
}

function payerView(order: Order): object {
  const buyer = order.buyer
  if (!buyer || order.approvedMs === undefined) return {}
  return {
    payer: {
      name: { given_name: buyer.givenName, surname: buyer.surname },
      email_address: buyer.email,
      payer_id: buyer.payerId,
      address: { country_code: buyer.countryCode },
    },
  }
}
