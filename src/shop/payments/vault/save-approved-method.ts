import type { PaymentToken, SetupToken } from '#contract/paypal/vault.ts'
import { transaction } from '#database/engine/connect.ts'
import { findPaymentTokens } from '#database/payments/payment-tokens.ts'
import {
  findInterruptedSetups,
  findSetupToken,
  lockSetupToken,
  type SetupTokenRow,
  updateSetupToken,
} from '#database/payments/vault.ts'
import { isFinal, type PayPalResult } from '#paypal/result.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Tools } from '../../shared/tools.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import { type AnyDecline, declined, done, type ProviderCall } from '../operation/payment-step.ts'
import { callProvider } from '../operation/run-payment-step.ts'
import { describePaymentMethod, savePaymentMethodWithin } from './save-method.ts'
import { type SetupProblem, settleSetup } from './settle-setup.ts'

export type KeepResult =
  | { ok: true; token: PaymentToken; row: SetupTokenRow }
  /** Started by another visitor, in the other environment, or never. */
  | { ok: false; reason: 'unknown' }
  /** Not approved, or the card's bank must confirm it first. */
  | { ok: false; reason: 'not-approved' }
  /** Saved for another customer of the shop. */
  | { ok: false; reason: 'not-yours' }
  /** Unknown yet: a retry is safe, and the shop retries by itself. */
  | { ok: false; reason: 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }

type Owner = Pick<VisitSession, 'id' | 'customerId'>

/** Reports whether a visitor started it: in this session, or logged in to the same account. */
export function isSetupOwner(row: Pick<SetupTokenRow, 'session_id' | 'customer_id'>, owner: Owner): boolean {
  if (row.customer_id !== null) return row.customer_id === owner.customerId
  return row.session_id === owner.id
}

/** Saves an approved payment method, once; a repeat returns the same. */
export async function saveApprovedMethod(
  tools: Tools,
  owner: Owner,
  setup: { id: string } | { key: string },
): Promise<KeepResult> {
  const row = await ('id' in setup
    ? findSetupToken(tools.db.kysely, 'id', setup.id)
    : findSetupToken(tools.db.kysely, 'request_id', setup.key))
  if (!row?.id || row.environment !== tools.paymentEnvironment || !isSetupOwner(row, owner)) {
    return { ok: false, reason: 'unknown' }
  }
  return saveRow(tools, row.request_id)
}

function saveRow(tools: Tools, requestId: string): Promise<KeepResult> {
  return runSerially(tools.serialQueues, `keeping:${requestId}`, () => saveApproved(tools, requestId))
}

async function saveApproved(tools: Tools, requestId: string): Promise<KeepResult> {
  const row = await findSetupToken(tools.db.kysely, 'request_id', requestId)
  if (!row?.id || !tools.paypal) return { ok: false, reason: row?.id ? 'unreachable' : 'unknown' }
  if (row.state === 'failed') return { ok: false, reason: 'not-approved' }
  if (row.state === 'kept' && row.payment_token) {
    const read = await tools.paypal.getPaymentToken(row.payment_token)
    return read.ok ? { ok: true, token: read.value, row } : problemOf(read)
  }
  const read = await tools.paypal.getSetupToken(row.id)
  if (!read.ok) {
    const problem = problemOf(read)
    // A final refusal is not retried every minute.
    if (problem.reason === 'refused') await updateSetupToken(tools.db.kysely, requestId, { state: 'failed' })
    return problem
  }
  const setup = read.value
  // An unapproved token would be refused.
  if (!approved.includes(setup.status)) return { ok: false, reason: 'not-approved' }
  // PayPal's customer: the one named when it was started.
  const customer = setup.customer?.id ?? (await vaultCustomer(tools.db.kysely, row.customer_id, row.environment))
  tools.checkpoint('S15 before commit')
  // Written before the call: the scheduled task resumes a save that a crash interrupted.
  await updateSetupToken(tools.db.kysely, requestId, { state: 'keeping', instance: tools.instance })
  const { reading } = await callProvider(tools, createPaymentToken, { row, setup, customer })
  return settleSetup<PaymentToken, KeepResult>(tools, requestId, reading, (token) => record(tools, requestId, token))
}

type Approval = { readonly row: SetupTokenRow; readonly setup: SetupToken; readonly customer: string | null }

const createPaymentToken: ProviderCall<Approval, PaymentToken, PaymentToken, AnyDecline> = {
  milestone: 'S15',
  send: (paypal, { row, customer }) =>
    paypal.createPaymentToken(
      {
        payment_source: { token: { id: row.id ?? '', type: 'SETUP_TOKEN' } },
        ...(customer ? { customer: { id: customer } } : {}),
      },
      // One id per setup token: it finds the call of a crashed process.
      { requestId: `${row.request_id}-keep` },
    ),
  read: done,
  // A setup token that is used up has made its vault token before.
  readRefusal: async ({ issue }, { row, setup }, tools) => {
    const adopted = setup.status === 'APPROVED' ? null : await adopt(tools, row, setup.customer?.id)
    return adopted ? done(adopted) : declined({ issue })
  },
}

function problemOf(read: PayPalResult<unknown>): SetupProblem {
  return isFinal(read) ? { ok: false, reason: 'refused', issue: read.issue } : { ok: false, reason: 'unreachable' }
}

const approved: readonly (SetupToken['status'] | undefined)[] = ['APPROVED', 'VAULTED', 'TOKENIZED']

/**
 * Adopts the vault token of a setup token whose response was lost: the customer's only token that is unknown to the
 * shop.
 */
async function adopt(
  tools: Tools,
  { customer_id: customerId, environment }: SetupTokenRow,
  providerCustomer: string | undefined,
): Promise<PaymentToken | null> {
  if (!providerCustomer || customerId === null) return null
  const listed = await tools.paypal?.listPaymentTokens(providerCustomer)
  if (!listed?.ok) return null
  const ours = new Set((await findPaymentTokens(tools.db.kysely, customerId, environment)).map(({ token }) => token))
  const [one, ...others] = listed.value.filter(({ id }) => !ours.has(id))
  return one && others.length === 0 ? one : null
}

/** Records the saved payment method. On the page that adds payment methods the customer has it immediately. */
async function record(tools: Tools, requestId: string, token: PaymentToken): Promise<KeepResult> {
  const result = await transaction<KeepResult>(tools, async (tx) => {
    const row = await lockSetupToken(tx, requestId)
    if (!row) return { ok: false, reason: 'unknown' }
    const source = token.payment_source
    if (row.customer_id !== null && row.context === 'add_payment_method' && source) {
      const kept = await savePaymentMethodWithin(tools, tx, {
        customerId: row.customer_id,
        method: row.method,
        token: token.id,
        providerCustomer: token.customer?.id,
        source,
      })
      if (!kept) {
        await updateSetupToken(tx, requestId, { state: 'failed' })
        return { ok: false, reason: 'not-yours' }
      }
    }
    await updateSetupToken(tx, requestId, { state: 'kept', payment_token: token.id })
    return { ok: true, token, row: { ...row, state: 'kept', payment_token: token.id } }
  })
  tools.checkpoint('S15 recorded')
  if (result.ok && token.payment_source) {
    tools.log.info({ kind: describePaymentMethod(token.payment_source).kind }, 'payment method saved')
  }
  return result
}

const restMs = 30_000

/** Completes saves that a crash interrupted. @returns the number of saves tried */
export async function resumeSavingMethods(tools: Tools): Promise<number> {
  if (!tools.paypal) return 0
  const before = new Date(tools.clock.now().getTime() - restMs)
  const stopped = await findInterruptedSetups(tools.db.kysely, tools.paymentEnvironment, before, 50)
  for (const { request_id: id } of stopped) {
    await saveRow(tools, id).catch((error: unknown) =>
      tools.log.error({ error: String(error) }, 'interrupted save of a payment method failed'),
    )
  }
  return stopped.length
}
