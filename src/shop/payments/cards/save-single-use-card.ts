import { cardMethodId } from '#contract/payments/constants.ts'
import type { PaymentToken } from '#contract/paypal/vault.ts'
import { transaction } from '#database/engine/connect.ts'
import { findSetupToken, insertSetupToken, updateSetupToken } from '#database/payments/vault.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import { sha256 } from '../../shared/digest.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Tools } from '../../shared/tools.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import { type AnyDecline, declined, done, type ProviderCall } from '../operation/payment-step.ts'
import { callProvider } from '../operation/run-payment-step.ts'
import type { SetupResult } from '../vault/create-setup-token.ts'
import { isSetupOwner, type KeepResult } from '../vault/save-approved-method.ts'
import { settleSetup } from '../vault/settle-setup.ts'

/**
 * Saves the single-use card token of accelerated checkout as a payment method, once; a repeat returns the same one.
 * Only the browser that created the token knows it: the first session to save it owns the card.
 */
export async function saveSingleUseToken(
  tools: Tools,
  session: Pick<VisitSession, 'id' | 'customerId'>,
  { token, ip }: { token: string; ip: string },
): Promise<KeepResult | Extract<SetupResult, { reason: 'too-many' }>> {
  const { kysely } = tools.db
  const { paypal } = tools
  if (!paypal || !tools.settings.paypal.fastlane.enabled) return { ok: false, reason: 'unknown' }
  const tries = await limitGuesses(tools, 'keep', { subject: session.id, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const requestId = `v-once-${sha256(`${tools.paymentEnvironment}|${token}`).slice(0, 40)}`
  return runSerially(tools.serialQueues, `keeping:${requestId}`, async () => {
    const before = await findSetupToken(kysely, 'request_id', requestId)
    if (before && !isSetupOwner(before, session)) return { ok: false, reason: 'unknown' }
    const row = before ?? {
      request_id: requestId,
      // No setup token belongs to it: the call that created it has no row.
      id: null,
      session_id: session.id,
      customer_id: session.customerId,
      method: cardMethodId,
      environment: tools.paymentEnvironment,
      context: 'checkout',
      state: 'opening' as const,
      instance: tools.instance,
      payment_token: null,
      created_at: tools.clock.now(),
    }
    if (!before) await transaction(tools, (tx) => insertSetupToken(tx, row))
    if (row.payment_token) {
      const read = await paypal.getPaymentToken(row.payment_token)
      if (read.ok) return { ok: true, token: read.value, row }
      return { ok: false, reason: 'unreachable' }
    }
    const customer = await vaultCustomer(kysely, session.customerId, tools.paymentEnvironment)
    const { reading } = await callProvider(tools, createPaymentToken, { requestId, token, customer })
    return settleSetup<PaymentToken, KeepResult>(tools, requestId, reading, async (made) => {
      const kept = { state: 'kept', payment_token: made.id } as const
      await updateSetupToken(kysely, requestId, kept)
      return { ok: true, token: made, row: { ...row, ...kept } }
    })
  })
}

type SingleUse = { readonly requestId: string; readonly token: string; readonly customer: string | null }

const createPaymentToken: ProviderCall<SingleUse, PaymentToken, PaymentToken, AnyDecline> = {
  milestone: 'S15',
  send: (paypal, { requestId, token: id, customer }) =>
    paypal.createPaymentToken(
      {
        payment_source: { token: { id, type: 'NONCE' } },
        ...(customer === null ? {} : { customer: { id: customer } }),
      },
      { requestId },
    ),
  read: done,
  readRefusal: ({ issue }) => declined({ issue }),
}
