import { refuse } from '../rest/error-bodies.ts'
import { CHALLENGES } from '../vault/authentication.ts'
import type { World } from '../world/world.ts'
import { announceApproval } from './approve-order.ts'
import type { Order } from './order.ts'
import { contextOf, type OrderRequest, readExperience, readUnits } from './order-request.ts'
import { type ReadSource, readSource } from './order-source.ts'

export type ConfirmRequest = Pick<OrderRequest, 'payment_source' | 'application_context'>

/** `confirm-payment-source`, for a call of the shop's server and for the script's own card fields alike. */
export function confirmOrder(world: World, order: Order, request: ConfirmRequest): void {
  const read = readSource(world, request.payment_source)
  const experience = readExperience(request)
  const { return_url, cancel_url } = { ...request.application_context, ...contextOf(request.payment_source)[1] }
  // A card's context says nothing of shipping: the order keeps what it was created with.
  if (read.source.kind !== 'card') readUnits(order.units, experience.shippingPreference)
  confirmSource(world, order, read)
  order.experience =
    read.source.kind === 'card'
      ? {
          ...order.experience,
          ...(return_url === undefined ? {} : { returnUrl: return_url }),
          ...(cancel_url === undefined ? {} : { cancelUrl: cancel_url }),
        }
      : { ...order.experience, ...experience }
}

/**
 * Names what pays an order, as the script's card fields and a call of the shop's server do. A card is approved by this,
 * unless its bank wants to see its owner first; a wallet waits for its buyer. Nothing is paid yet.
 */
export function confirmSource(world: World, order: Order, read: ReadSource): void {
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') {
    throw refuse(422, order.intent === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  }
  // A card may take another card's place; a buyer who approved stays.
  if (order.status === 'APPROVED' && order.source.kind !== 'card') throw refuse(422, 'PAYMENT_ALREADY_APPROVED')
  if (read.source.kind === 'none') {
    throw refuse(422, 'NO_PAYMENT_SOURCE_PROVIDED', { field: '/payment_source', location: 'body' })
  }
  takeSource(order, read)
  order.updatedMs = world.clock.now().getTime()
  if (read.source.kind !== 'card' || !read.source.card) {
    order.status = read.completes ? 'APPROVED' : 'PAYER_ACTION_REQUIRED'
    return
  }
  if (read.source.card.refusal?.kind === 'issue' && read.source.card.refusal.issue === 'CARD_EXPIRED') {
    throw refuse(422, 'CARD_EXPIRED', { field: '/payment_source/card/expiry', location: 'body' })
  }
  if (awaitsBank(order)) order.status = 'PAYER_ACTION_REQUIRED'
  else approveWithCard(world, order)
}

/** What pays, with the wishes the order was created with where this call is silent about them. */
export function takeSource(order: Order, read: ReadSource): void {
  const before = order.source
  const { source } = read
  if (source.kind === 'card' && before.kind === 'card') {
    order.source = {
      ...(before.verification === undefined ? {} : { verification: before.verification }),
      ...(before.keeping ? { keeping: before.keeping } : {}),
      ...source,
    }
  } else {
    order.source = source
  }
  if (read.buyer) order.buyer = read.buyer
  else delete order.buyer
  if (read.singleUse) read.singleUse.used = true
  order.declined = false
  delete order.authentication
  askAlways(order)
  const card = order.source.kind === 'card' ? order.source.card : undefined
  if (card?.challenge?.page === 'none' && wantsBank(order)) order.authentication = card.challenge.result
}

/** A card of no special kind is asked by its bank where the shop wants every card asked. */
function askAlways({ source }: Order): void {
  if (source.kind !== 'card' || source.verification !== 'SCA_ALWAYS' || !source.card || source.card.challenge) return
  const challenge = CHALLENGES['1109']
  if (challenge) source.card = { ...source.card, challenge }
}

/** Whether the card's bank shows its page before anything is paid. */
export function awaitsBank(order: Order): boolean {
  const { source } = order
  if (source.kind !== 'card' || !source.card?.challenge || order.authentication) return false
  return wantsBank(order) && source.card.challenge.page !== 'none'
}

function wantsBank({ source }: Order): boolean {
  return source.kind === 'card' && source.verification !== undefined
}

/** The order can be paid with its card from here on, and the shop is told. */
export function approveWithCard(world: World, order: Order): void {
  const nowMs = world.clock.now().getTime()
  order.status = 'APPROVED'
  order.approvedMs = nowMs
  order.updatedMs = nowMs
  announceApproval(world, order)
}
