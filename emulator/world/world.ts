import type { Dispute } from '../orders/disputes.ts'
import type { Authorization, Capture, Order, Refund } from '../orders/order.ts'
import { clearVault, type Vault } from '../vault/vault.ts'
import type { WebhookSender } from '../webhooks/sender.ts'
import type { EmulatorClock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { RequestMemory } from './idempotency-keys.ts'
import type { Ids } from './ids.ts'
import { payerIdFor } from './ids.ts'
import type { Ring } from './ring.ts'

/** One REST call, as the control page and the tests read it. */
export type LoggedCall = {
  at: string
  operation: string
  method: string
  path: string
  requestId?: string
  debugId: string
  /** 0 when the connection was cut. */
  status: number
  issue?: string
  fault?: string
  request?: unknown
  durationMs: number
}

/** The merchant whose account receives the payments. */
export const MERCHANT = { email_address: 'merchant@emulator.test', merchant_id: payerIdFor('merchant@emulator.test') }

/** Everything one emulator knows. Nothing outlives the process. */
export type World = {
  /** Scheme, host and port under which it answers. */
  origin: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clock: EmulatorClock
  readonly ids: Ids
  /** Waits in real time: delays are for the caller to feel. */
  sleep(ms: number): Promise<void>
  readonly accessTokens: Map<string, { expiresMs: number }>
  /** Tokens for a browser, and the registrable domains on which they work. */
  readonly clientTokens: Map<string, { expiresMs: number; domains: string[] }>
  readonly orders: Map<string, Order>
  readonly captures: Map<string, Capture>
  readonly authorizations: Map<string, Authorization>
  readonly refunds: Map<string, Refund>
  readonly disputes: Map<string, Dispute>
  /** Which order has been paid under an invoice id. */
  readonly paidInvoices: Map<string, string>
  /** Sales, by the merchant's own id, whose buyer was declined: for the next order of the same sale they choose other funds. */
  readonly declinedFor: Set<string>
  /** How the next captures of orders end, first come first; when empty they are paid. */
  captureOverrides: ('PENDING_REVIEW' | 'DECLINED')[]
  /** The same of refunds; when empty they are paid out at once. */
  refundOverrides: ('PENDING' | 'FAILED')[]
  /** Saved payment methods, and those being set up. */
  readonly vault: Vault
  readonly memory: RequestMemory
  readonly faults: Faults
  readonly log: Ring<LoggedCall>
  readonly webhooks: WebhookSender
  /** Which sources may have a button, where it is not left to country and currency. */
  readonly eligibility: Map<string, boolean>
}

/** Forgets orders, payments, faults, calls and sent webhooks; credentials and registered webhooks stay. */
export function resetWorld(world: World): void {
  for (const table of [
    world.orders,
    world.captures,
    world.authorizations,
    world.refunds,
    world.disputes,
    world.paidInvoices,
    world.declinedFor,
  ]) {
    table.clear()
  }
  clearVault(world.vault)
  world.captureOverrides = []
  world.refundOverrides = []
  world.memory.clear()
  world.eligibility.clear()
  world.faults.clear()
  world.log.clear()
  world.clock.reset()
  world.webhooks.reset()
}
