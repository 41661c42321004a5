import { amountOf } from '../orders/amounts.ts'
import { endOldAuthorizations } from '../orders/authorization-life.ts'
import type { PaymentToken } from '../vault/vault.ts'
import type { World } from '../world/world.ts'

/** What the provider's books say, as an independent witness to hold against the shop's. */
export function ledger(world: World): object {
  endOldAuthorizations(world)
  return {
    orders: [...world.orders.values()].map((order) => ({
      id: order.id,
      status: order.status,
      intent: order.intent,
      source: order.source.kind,
      custom_id: order.units[0]?.custom_id,
      invoice_id: order.units[0]?.invoice_id,
      amount: order.units[0]?.amount,
      declines: order.declines,
      captures: order.captureIds,
      authorizations: order.authorizationIds,
    })),
    captures: [...world.captures.values()].map((capture) => ({
      id: capture.id,
      order_id: capture.orderId,
      authorization_id: capture.authorizationId,
      status: capture.status,
      amount: amountOf(capture.size, capture.currency),
      refunded: amountOf(capture.refunded, capture.currency),
      custom_id: capture.customId,
      invoice_id: capture.invoiceId,
    })),
    authorizations: [...world.authorizations.values()].map((authorization) => ({
      id: authorization.id,
      order_id: authorization.orderId,
      status: authorization.status,
      amount: amountOf(authorization.size, authorization.currency),
      captured: amountOf(authorization.captured, authorization.currency),
      custom_id: authorization.customId,
      invoice_id: authorization.invoiceId,
    })),
    refunds: [...world.refunds.values()].map((refund) => ({
      id: refund.id,
      capture_id: refund.captureId,
      order_id: refund.orderId,
      status: refund.status,
      amount: amountOf(refund.size, refund.currency),
      custom_id: refund.customId,
      invoice_id: refund.invoiceId,
    })),
    payment_tokens: [...world.vault.paymentTokens.values()].map((token) => ({
      id: token.id,
      customer_id: token.customerId,
      ...meansText(token),
    })),
    disputes: [...world.disputes.values()].map((dispute) => ({
      id: dispute.id,
      capture_id: dispute.captureId,
      status: dispute.status,
      reason: dispute.reason,
      outcome: dispute.outcome,
    })),
    totals: totals(world),
  }
}

function meansText({ means }: PaymentToken): object {
  return means.kind === 'card'
    ? { kind: 'card', brand: means.card.brand, last_digits: means.card.lastDigits }
    : { kind: means.kind, email: means.buyer.email }
}

/** Per currency: what was taken, what of it was given back, what is still under review, and what is only held. */
export function totals(world: World): Record<string, Record<string, string>> {
  const sums = new Map<string, { captured: bigint; refunded: bigint; pending: bigint; held: bigint }>()
  const of = (currency: string) => {
    const known = sums.get(currency) ?? { captured: 0n, refunded: 0n, pending: 0n, held: 0n }
    sums.set(currency, known)
    return known
  }
  for (const { status, size, refunded, currency } of world.captures.values()) {
    const sum = of(currency)
    if (status === 'PENDING') sum.pending += size
    else if (status !== 'DECLINED' && status !== 'FAILED') sum.captured += size
    sum.refunded += refunded
  }
  for (const { status, size, captured, currency } of world.authorizations.values()) {
    const sum = of(currency)
    const holds = status === 'CREATED' || status === 'PARTIALLY_CAPTURED'
    if (holds && size > captured) sum.held += size - captured
  }
  return Object.fromEntries(
    [...sums].map(([currency, sum]) => [
      currency,
      Object.fromEntries(Object.entries(sum).map(([name, size]) => [name, amountOf(size, currency).value])),
    ]),
  )
}
