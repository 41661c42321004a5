import { cardMethodId, type ProviderMethod, type WalletPage } from '#contract/payments/constants.ts'
import type { SetupToken, SetupTokenBody } from '#contract/paypal/vault.ts'
import { urls } from '#contract/shared/urls.ts'
import { transaction } from '#database/engine/connect.ts'
import {
  findSetupTokens,
  insertSetupToken,
  linkVaultCustomer,
  lockSetups,
  type SetupTokenRow,
  updateSetupToken,
} from '#database/payments/vault.ts'
import { providerLocale } from '#domain/payments/provider-locale.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import { sha256 } from '../../shared/digest.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Tools } from '../../shared/tools.ts'
import { addressIn } from '../../translation/localized-paths.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import { type AnyDecline, declined, done, type ProviderCall } from '../operation/payment-step.ts'
import { callProvider } from '../operation/run-payment-step.ts'
import { type SetupProblem, settleSetup } from './settle-setup.ts'

export type SetupResult =
  /** `approveUrl` is '' where no redirect is needed: card fields are in the page. */
  { ok: true; id: string; approveUrl: string } | { ok: false; reason: 'too-many'; waitMs: number } | SetupProblem

type Wanted = { method: ProviderMethod; context: WalletPage; ip: string }

/** Period in which an unapproved setup token is handed out again. PayPal keeps it for days. */
const reusedForMs = 60 * 60_000
const unapproved: readonly (SetupToken['status'] | undefined)[] = ['CREATED', 'PAYER_ACTION_REQUIRED']

/**
 * Starts to save a payment method. A repeat, by a double click or after a crash, finds the token of the first press.
 * The caller checks that the visitor may save one.
 */
export async function startSavingMethod(
  tools: Tools,
  session: Pick<VisitSession, 'id' | 'customerId'>,
  wanted: Wanted,
): Promise<SetupResult> {
  if (!tools.paypal) return { ok: false, reason: 'unreachable' }
  const tries = await limitGuesses(tools, 'keep', { subject: session.id, ip: wanted.ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const whose = [session.id, wanted.method, wanted.context].join('|')
  return runSerially(tools.serialQueues, `keep:${whose}`, async () => {
    const open = await openSetup(tools, session, wanted)
    return open ?? create(tools, session, wanted, await claimSetup(tools, session, wanted, whose))
  })
}

const since = ({ clock }: Tools) => new Date(clock.now().getTime() - reusedForMs)

/** Method and page of a setup token; an agreement has its own value for the page. */
export type SetupPlace = { method: ProviderMethod; context: WalletPage | typeof agreementContext }

/** Page value in rows of billing agreements, from before the vault. */
export const agreementContext = 'billing_agreement'

export function setupOwner(tools: Tools, session: Pick<VisitSession, 'id'>, { method, context }: SetupPlace) {
  const { paymentEnvironment: environment } = tools
  return { sessionId: session.id, method, context, environment, since: since(tools) }
}

/** Finds the unapproved setup token of an earlier press. */
async function openSetup(
  tools: Tools,
  session: Pick<VisitSession, 'id'>,
  wanted: Wanted,
): Promise<(SetupResult & { ok: true }) | null> {
  const [last] = await findSetupTokens(tools.db.kysely, setupOwner(tools, session, wanted))
  if (last?.state !== 'open' || !last.id) return null
  const read = await tools.paypal?.getSetupToken(last.id)
  if (!read?.ok || !unapproved.includes(read.value.status)) return null
  return { ok: true, id: last.id, approveUrl: approveUrlOf(read.value) }
}

/** Claims the row of the next call; an unanswered call's row is reused, with its request id. */
export function claimSetup(
  tools: Tools,
  session: Pick<VisitSession, 'id' | 'customerId'>,
  wanted: SetupPlace,
  whose: string,
): Promise<SetupTokenRow> {
  return transaction(tools, async (tx) => {
    await lockSetups(tx, whose)
    const before = await findSetupTokens(tx, setupOwner(tools, session, wanted))
    const [last] = before
    if (last?.state === 'opening') return last
    const created_at = tools.clock.now()
    const digest = sha256([whose, tools.paymentEnvironment, before.length, created_at.getTime()].join('|'))
    const row = {
      request_id: `v-setup-${digest.slice(0, 40)}`,
      id: null,
      session_id: session.id,
      customer_id: session.customerId,
      method: wanted.method,
      environment: tools.paymentEnvironment,
      context: wanted.context,
      state: 'opening' as const,
      instance: tools.instance,
      payment_token: null,
      created_at,
    }
    await insertSetupToken(tx, row)
    tools.checkpoint('S15 setup before commit')
    return row
  })
}

type Setup = { readonly row: SetupTokenRow; readonly wanted: Wanted; readonly customer: string | null }

const createSetupToken: ProviderCall<Setup, SetupToken, SetupToken, AnyDecline> = {
  milestone: 'S15 setup',
  send: async (paypal, { row: { request_id: requestId }, wanted, customer }, tools) =>
    paypal.createSetupToken(await setupBody(tools, wanted, requestId, customer), { requestId }),
  read: done,
  readRefusal: ({ issue }) => declined({ issue }),
}

async function create(
  tools: Tools,
  { customerId }: Pick<VisitSession, 'customerId'>,
  wanted: Wanted,
  row: SetupTokenRow,
): Promise<SetupResult> {
  const { kysely } = tools.db
  const { paymentEnvironment: environment } = tools
  const customer = await vaultCustomer(kysely, customerId, environment)
  const { reading } = await callProvider(tools, createSetupToken, { row, wanted, customer })
  return settleSetup<SetupToken, SetupResult>(tools, row.request_id, reading, async (token) => {
    const { id, customer: known } = token
    await updateSetupToken(kysely, row.request_id, { id, state: 'open' })
    tools.checkpoint('S15 setup recorded')
    if (customerId !== null && customer === null && known?.id) {
      await linkVaultCustomer(kysely, { customer_id: customerId, environment, provider_id: known.id })
    }
    return { ok: true, id, approveUrl: approveUrlOf(token) }
  })
}

function approveUrlOf({ links }: SetupToken): string {
  return links?.find(({ rel }) => rel === 'approve')?.href ?? ''
}

async function setupBody(
  tools: Tools,
  { method }: Wanted,
  key: string,
  customer: string | null,
): Promise<SetupTokenBody> {
  const { settings, publicUrl } = tools
  const back = {
    return_url: publicUrl + (await addressIn(tools, urls.methodKept(key))),
    cancel_url: publicUrl + (await addressIn(tools, urls.methodNotKept(key))),
  }
  const whose = customer === null ? {} : { customer: { id: customer } }
  if (method === cardMethodId) {
    const verification_method = settings.paypal.cards.threeDSecure.request
    return { payment_source: { card: { verification_method, experience_context: back } }, ...whose }
  }
  const locale = providerLocale(settings.language)
  return {
    payment_source: {
      paypal: {
        usage_type: 'MERCHANT',
        customer_type: 'CONSUMER',
        permit_multiple_payment_tokens: false,
        description: settings.name.slice(0, 127),
        experience_context: {
          brand_name: settings.name.slice(0, 127),
          ...(locale === null ? {} : { locale }),
          shipping_preference: 'NO_SHIPPING',
          vault_instruction: 'ON_CREATE_PAYMENT_TOKENS',
          ...back,
        },
      },
    },
    ...whose,
  }
}
