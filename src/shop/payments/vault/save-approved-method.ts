import type { PaymentToken } from '#contract/paypal/vault.ts'
import { transaction } from '#database/engine/connect.ts'
import { findPaymentTokens } from '#database/payments/payment-tokens.ts'
import {
  findInterruptedSetups,
  findSetupToken,
  lockSetupToken,
  type SetupTokenRow,
  updateSetupToken,
} from '#database/payments/vault.ts'
import type { PayPalResult } from '#paypal/result.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Tools } from '../../shared/tools.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import { describePaymentMethod, savePaymentMethodWithin } from './save-method.ts'

export type KeepResult =
  | { ok: true; token: PaymentToken; row: SetupTokenRow }
  /** Begun by somebody else, of the other environment, or never. */
  | { ok: false; reason: 'unknown' }
  /** Its owner has not agreed, or the card's bank wants to be asked first. */
  | { ok: false; reason: 'not-approved' }
  /** Kept for another customer of the shop. */
  | { ok: false; reason: 'not-yours' }
  /** Not known yet: asking again is safe, and the shop asks by itself. */
  | { ok: false; reason: 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }

type Owner = Pick<VisitSession, 'id' | 'customerId'>

/** Whether a visitor began it: here, or logged in to the same account elsewhere. */
export function isSetupOwner(row: Pick<SetupTokenRow, 'session_id' | 'customer_id'>, owner: Owner): boolean {
  if (row.customer_id !== null) return row.customer_id === owner.customerId
  return row.session_id === owner.id
}

/** Makes a way to pay of what a visitor has agreed to, once; a repeat gives the same. */
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
  return keepRow(tools, row.request_id)
}

function keepRow(tools: Tools, requestId: string): Promise<KeepResult> {
  return runSerially(tools.db, `keeping:${requestId}`, () => keep(tools, requestId))
}

async function keep(tools: Tools, requestId: string): Promise<KeepResult> {
  const row = await findSetupToken(tools.db.kysely, 'request_id', requestId)
  if (!row?.id || !tools.paypal) return { ok: false, reason: row?.id ? 'unreachable' : 'unknown' }
  if (row.state === 'failed') return { ok: false, reason: 'not-approved' }
  if (row.state === 'kept' && row.payment_token) {
    const read = await tools.paypal.getPaymentToken(row.payment_token)
    return read.ok ? { ok: true, token: read.value, row } : failed(read)
  }
  // What nobody has agreed to is not worth a call that would be refused; what is kept already is read, not made again.
  const setup = await tools.paypal.getSetupToken(row.id)
  if (!setup.ok) {
    const problem = failed(setup)
    // What is refused for good is not asked for every minute.
    if (problem.reason === 'refused') await updateSetupToken(tools.db.kysely, requestId, { state: 'failed' })
    return problem
  }
  const { status } = setup.value
  if (status !== 'APPROVED' && status !== 'VAULTED' && status !== 'TOKENIZED') {
    return { ok: false, reason: 'not-approved' }
  }
  // Whom the provider keeps it for: the customer who was named when it was begun.
  const customer = setup.value.customer?.id ?? (await vaultCustomer(tools.db.kysely, row.customer_id, row.environment))
  tools.checkpoint('S15 before commit')
  await updateSetupToken(tools.db.kysely, requestId, { state: 'keeping', instance: tools.instance })
  tools.checkpoint('S15 attempt written')

  const made = await tools.paypal.createPaymentToken(
    {
      payment_source: { token: { id: row.id, type: 'SETUP_TOKEN' } },
      ...(customer ? { customer: { id: customer } } : {}),
    },
    // One per setup token: the call that a dead process made is found again by it.
    { requestId: `${requestId}-keep` },
  )
  tools.checkpoint('S15 called')
  if (made.ok) return record(tools, requestId, made.value)
  if (made.kind !== 'refused' || made.status === 429 || made.status === 401) return failed(made)
  const adopted = status === 'APPROVED' ? null : await adopt(tools, row, setup.value.customer?.id)
  if (adopted) return record(tools, requestId, adopted)
  await updateSetupToken(tools.db.kysely, requestId, { state: 'failed' })
  tools.log.warn({ issue: made.issue }, 'what was agreed to could not be kept')
  return failed(made)
}

function failed(result: PayPalResult<unknown> & { ok: false }): KeepResult & { ok: false } {
  if (result.kind !== 'refused' || result.status === 429 || result.status === 401) {
    return { ok: false, reason: 'unreachable' }
  }
  return { ok: false, reason: 'refused', issue: result.issue }
}

/**
 * The token that a setup token became whose call nobody remembers any more: the one of its customer's that we do not know,
 * if that is one only.
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

/** Writes down what was kept. On the page where ways to pay are added the customer has it from now on. */
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
    tools.log.info({ kind: describePaymentMethod(token.payment_source).kind }, 'a way to pay was kept')
  }
  return result
}

const restMs = 30_000

/** Ends what was being kept when a process died. @returns how many were looked at */
export async function resumeSavingMethods(tools: Tools): Promise<number> {
  if (!tools.paypal) return 0
  const before = new Date(tools.clock.now().getTime() - restMs)
  const stopped = await findInterruptedSetups(tools.db.kysely, tools.paymentEnvironment, before, 50)
  for (const { request_id: id } of stopped) {
    await keepRow(tools, id).catch((error: unknown) =>
      tools.log.error({ error: String(error) }, 'what was being kept could not be ended'),
    )
  }
  return stopped.length
}
