import { walletMethodId } from '#contract/payments/constants.ts'
import type { BillingTokenAnswer } from '#contract/payments/vault.ts'
import type { AgreementToken, NewAgreementToken } from '#contract/paypal/vault.ts'
import { urls } from '#contract/shared/urls.ts'
import { findOpenSetup, findSetupTokens, updateSetupToken } from '#database/payments/vault.ts'
import { isFinal } from '#paypal/result.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Tools } from '../../shared/tools.ts'
import { addressIn } from '../../translation/localized-paths.ts'
import { payerOf } from '../operation/payment-source.ts'
import { type AnyDecline, declined, done, type ProviderCall } from '../operation/payment-step.ts'
import { callProvider } from '../operation/run-payment-step.ts'
import { agreementContext, claimSetup, setupOwner } from './create-setup-token.ts'
import { settleSetup } from './settle-setup.ts'

type Problem =
  | { ok: false; reason: 'unknown' | 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }
  | { ok: false; reason: 'too-many'; waitMs: number }

export type AgreementResult = { ok: true; answer: BillingTokenAnswer } | Problem
export type NewAgreementResult = { ok: true; id: string } | Problem

const place = { method: walletMethodId, context: agreementContext } as const

/**
 * Starts a billing agreement, the predecessor of the vault, for a visitor who buys. Only this visitor can read its
 * payer or pay with its token. A repeat returns the same token until it is approved.
 */
export async function startBillingAgreement(
  tools: Tools,
  session: VisitSession,
  { needsShipping, ip }: { needsShipping: boolean; ip: string },
): Promise<NewAgreementResult> {
  const { paypal } = tools
  if (!paypal || !tools.settings.paypal.enabled || !isBuying(session)) return { ok: false, reason: 'unknown' }
  const tries = await limitGuesses(tools, 'keep', { subject: session.id, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const whose = [session.id, place.method, place.context].join('|')
  return runSerially(tools.serialQueues, `keep:${whose}`, async () => {
    const { kysely } = tools.db
    const [last] = await findSetupTokens(kysely, setupOwner(tools, session, place))
    if (last?.id && last.state === 'open') {
      const read = await paypal.getAgreementToken(last.id)
      if (read.ok && read.value.token_status === 'PENDING') return { ok: true, id: last.id }
    }
    const { request_id: requestId } = await claimSetup(tools, session, place, whose)
    const { reading } = await callProvider(tools, createAgreementToken, { requestId, needsShipping })
    return settleSetup<NewAgreementToken, NewAgreementResult>(tools, requestId, reading, async ({ token_id: id }) => {
      await updateSetupToken(kysely, requestId, { id, state: 'open' })
      return { ok: true, id }
    })
  })
}

type Start = { readonly requestId: string; readonly needsShipping: boolean }

const createAgreementToken: ProviderCall<Start, NewAgreementToken, NewAgreementToken, AnyDecline> = {
  milestone: 'S15 setup',
  send: async (paypal, { requestId, needsShipping }, tools) => {
    const back = tools.publicUrl + (await addressIn(tools, urls.checkout()))
    const merchant_preferences = { return_url: back, cancel_url: back, skip_shipping_address: !needsShipping }
    return paypal.createAgreementToken(
      {
        description: tools.settings.name.slice(0, 127),
        payer: { payment_method: 'PAYPAL' },
        plan: { type: 'MERCHANT_INITIATED_BILLING', merchant_preferences },
      },
      { requestId },
    )
  },
  read: done,
  readRefusal: ({ issue }) => declined({ issue }),
}

/** Reads payer and address of this visitor's agreement, while there is a cart or an order to pay. */
export async function readAgreementToken(
  tools: Tools,
  session: VisitSession,
  { id, ip }: { id: string; ip: string },
): Promise<AgreementResult> {
  if (!tools.paypal || !tools.settings.paypal.enabled || !isBuying(session)) return { ok: false, reason: 'unknown' }
  const tries = await limitGuesses(tools, 'keep', { subject: session.id, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const setup = await findOpenSetup(tools.db.kysely, { id, environment: tools.paymentEnvironment }, payerOf(session))
  if (!setup) return { ok: false, reason: 'unknown' }
  const read = await tools.paypal.getAgreementToken(id)
  if (!read.ok) return { ok: false, reason: isFinal(read) ? 'unknown' : 'unreachable' }
  return { ok: true, answer: answerOf(id, read.value) }
}

function isBuying({ state, version }: VisitSession): boolean {
  return version > 0 && (state.lines.length > 0 || state.awaitingOrder !== null || state.ownOrders.length > 0)
}

function answerOf(id: string, { payer, shipping_address: shipTo }: AgreementToken): BillingTokenAnswer {
  const info = payer?.payer_info
  const shipping = shipTo ?? info?.shipping_address
  const name = definedMembers({ given_name: info?.first_name, surname: info?.last_name })
  return {
    id,
    ...(info
      ? {
          payer: {
            name,
            ...definedMembers({ email_address: info.email, phone: info.phone, address: info.billing_address }),
          },
        }
      : {}),
    ...(shipping
      ? { shipping: { name: definedMembers({ full_name: shipping.recipient_name }), address: withoutName(shipping) } }
      : {}),
  }
}

function withoutName({ recipient_name: _, ...address }: Record<string, string>): Record<string, string> {
  return address
}

/** Returns the members that are defined. */
function definedMembers<Value extends object>(members: Value): { [Key in keyof Value]?: NonNullable<Value[Key]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    // The filter removed only undefined members.
    [Key in keyof Value]?: NonNullable<Value[Key]>
  }
}
