import { timestamp } from '../world/clock.ts'
import { MERCHANT, type World } from '../world/world.ts'
import { amountOf } from './amounts.ts'
import type { Capture } from './order.ts'

export const DISPUTE_REASONS = [
  'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  'UNAUTHORISED',
  'CREDIT_NOT_PROCESSED',
  'DUPLICATE_TRANSACTION',
  'INCORRECT_AMOUNT',
  'OTHER',
] as const
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

export const OPEN_DISPUTE_STATES = [
  'OPEN',
  'WAITING_FOR_BUYER_RESPONSE',
  'WAITING_FOR_SELLER_RESPONSE',
  'UNDER_REVIEW',
] as const
export type DisputeStatus = (typeof OPEN_DISPUTE_STATES)[number] | 'RESOLVED'

export const DISPUTE_OUTCOMES = ['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR', 'CANCELED_BY_BUYER'] as const
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number]

/** A buyer's complaint about a payment. */
export type Dispute = {
  id: string
  captureId: string
  reason: DisputeReason
  status: DisputeStatus
  size: bigint
  outcome?: DisputeOutcome
  createdMs: number
  updatedMs: number
}

export function openDispute(world: World, capture: Capture, reason: DisputeReason, size = capture.size): Dispute {
  const nowMs = world.clock.now().getTime()
  const dispute: Dispute = {
    id: `PP-D-${world.ids.resource().slice(0, 6)}`,
    captureId: capture.id,
    reason,
    status: 'OPEN',
    size,
    createdMs: nowMs,
    updatedMs: nowMs,
  }
  world.disputes.set(dispute.id, dispute)
  announce(world, dispute, 'CUSTOMER.DISPUTE.CREATED', 'A new dispute opened.')
  return dispute
}

export function updateDispute(world: World, dispute: Dispute, status: Exclude<DisputeStatus, 'RESOLVED'>): void {
  dispute.status = status
  dispute.updatedMs = world.clock.now().getTime()
  announce(world, dispute, 'CUSTOMER.DISPUTE.UPDATED', 'A dispute was updated.')
}

export function resolveDispute(world: World, dispute: Dispute, outcome: DisputeOutcome): void {
  dispute.status = 'RESOLVED'
  dispute.outcome = outcome
  dispute.updatedMs = world.clock.now().getTime()
  announce(world, dispute, 'CUSTOMER.DISPUTE.RESOLVED', 'A dispute was resolved.')
}

/** Whether a complaint about the payment is open: then it is given back whole or not at all. */
export function isDisputed(world: World, { id }: Capture): boolean {
  return [...world.disputes.values()].some(({ captureId, status }) => captureId === id && status !== 'RESOLVED')
}

function announce(world: World, dispute: Dispute, type: string, summary: string): void {
  world.webhooks.emit({ type, resourceType: 'dispute', summary, resource: () => disputeView(world, dispute) })
}

export function disputeView(world: World, dispute: Dispute): object {
  const capture = world.captures.get(dispute.captureId)
  const currency = capture?.currency ?? 'USD'
  const amount = amountOf(dispute.size, currency)
  const buyer = capture && world.orders.get(capture.orderId)?.buyer
  return {
    dispute_id: dispute.id,
    create_time: timestamp(new Date(dispute.createdMs)),
    update_time: timestamp(new Date(dispute.updatedMs)),
    disputed_transactions: [
      {
        seller_transaction_id: dispute.captureId,
        gross_amount: amountOf(capture?.size ?? 0n, currency),
        ...(capture?.customId === undefined ? {} : { custom: capture.customId }),
        ...(capture?.invoiceId === undefined ? {} : { invoice_number: capture.invoiceId }),
        seller: MERCHANT,
        ...(buyer ? { buyer: { name: `${buyer.givenName} ${buyer.surname}` } } : {}),
      },
    ],
    reason: dispute.reason,
    status: dispute.status,
    dispute_amount: amount,
    dispute_life_cycle_stage: dispute.status === 'UNDER_REVIEW' ? 'CHARGEBACK' : 'INQUIRY',
    dispute_channel: 'INTERNAL',
    ...(dispute.outcome === undefined
      ? {}
      : {
          dispute_outcome: {
            outcome_code: dispute.outcome,
            amount_refunded: dispute.outcome === 'RESOLVED_BUYER_FAVOUR' ? amount : amountOf(0n, currency),
          },
        }),
    links: [{ href: `${world.origin}/v1/customer/disputes/${dispute.id}`, rel: 'self', method: 'GET' }],
  }
}
