import type { Kysely } from 'kysely'
import { cardMethodId, fastlaneHooks, newMethod, paymentFields } from '#contract/payments/constants.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findOpenSetup, findSavedSetup } from '#database/payments/vault.ts'
import { type Funding, fundings } from '#domain/payments/funding-sources.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'

/** Payment fields of a form beside the method; not validated yet. */
export type PaymentInput = {
  readonly funding: string
  /** Save the payment method for later. */
  readonly keep: boolean
  /** Id of a saved payment method, `new`, or ''. */
  readonly kept: string
  readonly paymentToken: string
  readonly billingToken: string
  /** The payment token is a card token of accelerated checkout. */
  readonly accelerated: boolean
}

/** Parses the fields that a payment method has in the checkout form. */
export function readPaymentInput(fields: Readonly<Record<string, unknown>>, method: string): PaymentInput {
  const names = paymentFields(method)
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value.trim().slice(0, 300) : ''
  }
  const ticked = (name: string) => !['', '0', 'false'].includes(text(name))
  return {
    funding: text(names.funding),
    keep: ticked(names.save),
    kept: text(names.kept),
    paymentToken: text(names.paymentToken),
    billingToken: text(names.billingToken),
    accelerated: method === cardMethodId && ticked(fastlaneHooks.flagField),
  }
}

export type Payer = { readonly customerId: number | null; readonly sessionId: string }

export function payerOf({ id, customerId }: Pick<VisitSession, 'id' | 'customerId'>): Payer {
  return { customerId, sessionId: id }
}

const tokenPattern = /^[\w-]{1,255}$/
const agreementTokenPattern = /^BA-[A-Z0-9]{1,60}$/

/**
 * Returns the payment source of a form. Tokens count only for their owner: saved payment methods belong to customers,
 * fresh approvals to the visitor whose session started them.
 * @returns null for a saved payment method that this payer does not have
 */
export async function paymentSource(
  tools: Tools,
  method: string,
  wish: PaymentInput,
  payer: Payer,
): Promise<PaymentSource | null> {
  const isCard = method === cardMethodId
  const { paypal } = tools.settings
  const keep = wish.keep && payer.customerId !== null && (isCard ? paypal.cards.keep : paypal.keep)
  if (wish.kept !== '' && wish.kept !== newMethod) return keptSource(tools, method, wish.kept, payer)
  if (wish.paymentToken !== '') {
    if (!tokenPattern.test(wish.paymentToken)) return null
    if (wish.accelerated) return { kind: 'single-use', token: wish.paymentToken, keep }
    return approvedSource(tools, method, wish.paymentToken, payer)
  }
  if (wish.billingToken !== '' && !isCard) {
    return agreementSource(tools, wish.billingToken, payer)
  }
  if (isCard) return { kind: 'card-fields', keep }
  return { kind: 'wallet', funding: fundingIn(wish.funding), keep }
}

/** Returns the button's funding source; the wallet's own for unknown values. */
export function fundingIn(word: unknown): Funding {
  return fundings.find((funding) => funding === word) ?? 'paypal'
}

async function keptSource(
  { db, paymentEnvironment }: Tools,
  method: string,
  kept: string,
  { customerId }: Payer,
): Promise<PaymentSource | null> {
  if (customerId === null || !/^\d{1,15}$/.test(kept)) return null
  const row = await db.kysely
    .selectFrom('payment_tokens')
    .select(['token', 'kind'])
    .where('id', '=', Number(kept))
    .where('customer_id', '=', customerId)
    .where('method', '=', method)
    .where('environment', '=', paymentEnvironment)
    .executeTakeFirst()
  return row ? { kind: 'kept', as: row.kind, token: row.token } : null
}

/** Returns an agreement that this visitor started in this shop. */
async function agreementSource(
  { db, paymentEnvironment: environment }: Tools,
  token: string,
  payer: Payer,
): Promise<PaymentSource | null> {
  if (!agreementTokenPattern.test(token)) return null
  const setup = await findOpenSetup(db.kysely, { id: token, environment }, payer)
  return setup ? { kind: 'agreement', token } : null
}

/** Returns a payment source that this visitor approved without a purchase. */
async function approvedSource(
  { db, paymentEnvironment }: Tools,
  method: string,
  token: string,
  { customerId, sessionId }: Payer,
): Promise<PaymentSource | null> {
  const as = method === cardMethodId ? 'card' : 'wallet'
  const approved = { token, method, environment: paymentEnvironment }
  const setup = await findSavedSetup(db.kysely, approved, { sessionId, customerId })
  if (setup) return { kind: 'kept', as, token }
  if (customerId === null) return null
  const own = await db.kysely
    .selectFrom('payment_tokens')
    .select('kind')
    .where('token', '=', token)
    .where('customer_id', '=', customerId)
    .where('method', '=', method)
    .where('environment', '=', paymentEnvironment)
    .executeTakeFirst()
  return own ? { kind: 'kept', as: own.kind, token } : null
}

/** Returns the customer's id in PayPal's vault; null where there is none. */
export async function vaultCustomer(
  db: Kysely<Schema>,
  customerId: number | null,
  environment: Tools['paymentEnvironment'],
): Promise<string | null> {
  if (customerId === null) return null
  const row = await db
    .selectFrom('vault_customers')
    .select('provider_id')
    .where('customer_id', '=', customerId)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return row?.provider_id ?? null
}
