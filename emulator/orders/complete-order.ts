import { Refusal, refuse } from '../rest/error-bodies.ts'
import type { Card } from '../vault/cards.ts'
import { vaultPaymentMethod } from '../vault/vault.ts'
import { DAY_MS } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { amountOf, hundredths } from './amounts.ts'
import { awaitsBank } from './confirm-source.ts'
import type { Authorization, Capture, Order, ProcessorAnswer, PurchaseUnit } from './order.ts'
import { authorizationResource, captureResource, orderRepresentation, payerAction } from './order-view.ts'

/** An authorisation ends this long after it was given. */
const AUTHORIZATION_MS = 29 * DAY_MS

/** Collects the money of an approved order. */
export function captureOrder(world: World, order: Order): void {
  requireCompletable(world, order, 'CAPTURE')
  const captures = order.units.map((unit) => newCapture(world, order, unit))
  finish(world, order)
  if (captures.some(({ status }) => status !== 'DECLINED')) keepMeansOf(world, order)
  for (const capture of captures) announceCapture(world, capture)
  announceCompletion(world, order)
}

/** Reserves the money of an approved order. */
export function authorizeOrder(world: World, order: Order): void {
  requireCompletable(world, order, 'AUTHORIZE')
  const nowMs = world.clock.now().getTime()
  const card = cardOf(order)
  const denied = card?.refusal?.kind === 'declined'
  for (const unit of order.units) {
    const authorization: Authorization = {
      id: world.ids.resource(),
      orderId: order.id,
      referenceId: unit.reference_id,
      status: denied ? 'DENIED' : 'CREATED',
      size: hundredths(unit.amount),
      currency: unit.amount.currency_code,
      captured: 0n,
      createdMs: nowMs,
      updatedMs: nowMs,
      expiresMs: nowMs + AUTHORIZATION_MS,
      ...(card ? { processor: processorAnswer(card) } : {}),
      ...shopIds(unit),
    }
    world.authorizations.set(authorization.id, authorization)
    order.authorizationIds.push(authorization.id)
    if (denied) continue
    world.webhooks.emit({
      type: 'PAYMENT.AUTHORIZATION.CREATED',
      resourceType: 'authorization',
      summary: `A payment authorization is created for ${text(authorization)}`,
      resource: () => authorizationResource(world, authorization),
    })
  }
  finish(world, order)
  if (!denied) keepMeansOf(world, order)
  announceCompletion(world, order)
}

function requireCompletable(world: World, order: Order, action: Order['intent']): void {
  if (order.intent !== action) throw refuse(422, 'ACTION_DOES_NOT_MATCH_INTENT', ACTION_TEXT)
  if (order.status === 'COMPLETED') {
    throw refuse(422, action === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  }
  if (order.completing) throw refuse(422, 'ORDER_COMPLETION_IN_PROGRESS')
  if (awaitsBank(order)) {
    throw new Refusal(422, [{ issue: 'PAYER_ACTION_REQUIRED' }], [payerAction(world, order, 'payer-action')])
  }
  if (order.status !== 'APPROVED' || !(order.buyer || cardOf(order))) {
    throw new Refusal(422, [{ issue: 'ORDER_NOT_APPROVED' }], [payerAction(world, order, 'approve')])
  }
  for (const unit of order.units) {
    const paid = unit.invoice_id === undefined ? undefined : world.paidInvoices.get(unit.invoice_id)
    if (paid !== undefined && paid !== order.id) throw refuse(422, 'DUPLICATE_INVOICE_ID')
  }
  const card = cardOf(order)
  if (card) {
    if (card.refusal?.kind !== 'issue') return
    order.declines += 1
    throw refuse(422, card.refusal.issue)
  }
  const funds = order.buyer?.funds
  if (order.declined || (funds === 'declined-once' && order.declines === 0)) {
    if (!order.declined) order.declines += 1
    order.declined = true
    for (const { custom_id: sale } of order.units) if (sale !== undefined) world.declinedFor.add(sale)
    throw new Refusal(422, [{ issue: 'INSTRUMENT_DECLINED' }], [payerAction(world, order, 'redirect')])
  }
}

function cardOf({ source }: Order): Card | undefined {
  return source.kind === 'card' ? source.card : undefined
}

/** What the card's bank said: checks of address and security code, and its code. */
function processorAnswer({ refusal, billingAddress }: Card): ProcessorAnswer {
  const declined = refusal?.kind === 'declined' ? refusal : undefined
  return {
    responseCode: declined?.responseCode ?? '0000',
    avsCode: billingAddress ? 'Y' : 'U',
    cvvCode: declined?.cvvCode ?? 'M',
  }
}

/** The means is kept once it has paid, where the shop asked for that. */
function keepMeansOf(world: World, order: Order): void {
  const { source, buyer } = order
  if (source.kind === 'none' || source.kind === 'agreement' || !source.keeping || source.vaultId !== undefined) return
  if (source.kind === 'card') {
    if (!source.card) return
    const token = vaultPaymentMethod(world, { kind: 'card', card: source.card }, source.keeping)
    order.kept = { token, later: source.card.isVaultedLater === true }
  } else if (buyer) {
    const token = vaultPaymentMethod(world, { kind: source.kind, buyer }, source.keeping)
    order.kept = { token, later: buyer.isVaultedLater === true }
  }
}

// The published list of issues lacks this one.
const ACTION_TEXT = { description: "The requested action does not match the order's intent." }

function newCapture(world: World, order: Order, unit: PurchaseUnit): Capture {
  const card = cardOf(order)
  const byCheque = !card && order.buyer?.funds === 'echeck' && !order.experience.immediatePaymentRequired
  const wish = world.captureOverrides.shift()
  const declined = card?.refusal?.kind === 'declined' || wish === 'DECLINED'
  const reason = byCheque ? 'ECHECK' : wish === 'PENDING_REVIEW' ? wish : undefined
  const capture = addCapture(world, order, {
    referenceId: unit.reference_id,
    status: declined ? 'DECLINED' : reason ? 'PENDING' : 'COMPLETED',
    size: hundredths(unit.amount),
    currency: unit.amount.currency_code,
    final: true,
    ...(card ? { processor: processorAnswer(card) } : {}),
    ...shopIds(unit),
  })
  if (reason && !declined) capture.reason = reason
  return capture
}

type NewCapture = Pick<Capture, 'referenceId' | 'status' | 'size' | 'currency' | 'final'> &
  Partial<Pick<Capture, 'customId' | 'invoiceId' | 'authorizationId' | 'processor'>>

export function addCapture(world: World, order: Order, given: NewCapture): Capture {
  const nowMs = world.clock.now().getTime()
  const capture: Capture = {
    id: world.ids.resource(),
    orderId: order.id,
    refunded: 0n,
    refundIds: [],
    createdMs: nowMs,
    updatedMs: nowMs,
    ...given,
  }
  world.captures.set(capture.id, capture)
  order.captureIds.push(capture.id)
  if (capture.invoiceId !== undefined && capture.status !== 'DECLINED')
    world.paidInvoices.set(capture.invoiceId, order.id)
  return capture
}

/** A capture that waited (an eCheck) is paid or refused. */
export function settleCapture(world: World, capture: Capture, status: 'COMPLETED' | 'DECLINED'): void {
  capture.status = status
  delete capture.reason
  capture.updatedMs = world.clock.now().getTime()
  announceCapture(world, capture)
}

const ANNOUNCEMENTS: Partial<Record<Capture['status'], { type: string; verb: string }>> = {
  COMPLETED: { type: 'PAYMENT.CAPTURE.COMPLETED', verb: 'Payment completed' },
  PENDING: { type: 'PAYMENT.CAPTURE.PENDING', verb: 'Payment pending' },
  DECLINED: { type: 'PAYMENT.CAPTURE.DENIED', verb: 'Payment denied' },
}

export function announceCapture(world: World, capture: Capture): void {
  const announcement = ANNOUNCEMENTS[capture.status]
  if (!announcement) return
  world.webhooks.emit({
    type: announcement.type,
    resourceType: 'capture',
    summary: `${announcement.verb} for ${text(capture)}`,
    resource: () => captureResource(world, capture),
  })
}

function announceCompletion(world: World, order: Order): void {
  world.webhooks.emit({
    type: 'CHECKOUT.ORDER.COMPLETED',
    resourceType: 'checkout-order',
    summary: 'Checkout Order Completed',
    resource: () => orderRepresentation(world, order),
  })
}

function finish(world: World, order: Order): void {
  order.status = 'COMPLETED'
  order.updatedMs = world.clock.now().getTime()
}

function shopIds(unit: PurchaseUnit): { customId?: string; invoiceId?: string } {
  return {
    ...(unit.custom_id === undefined ? {} : { customId: unit.custom_id }),
    ...(unit.invoice_id === undefined ? {} : { invoiceId: unit.invoice_id }),
  }
}

function text(payment: { size: bigint; currency: string }): string {
  const { value, currency_code } = amountOf(payment.size, payment.currency)
  return `${value} ${currency_code}`
}
