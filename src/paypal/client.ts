import { z } from 'zod'
import type { Amount } from '#contract/paypal/amount.ts'
import {
  type Authorization,
  authorization,
  type Capture,
  type CaptureAuthorizationBody,
  capture,
  type Refund,
  type RefundBody,
  refund,
} from '#contract/paypal/capture.ts'
import { errorBody } from '#contract/paypal/error.ts'
import { type OrderBody, type PatchOperation, type WalletOrder, walletOrder } from '#contract/paypal/order.ts'
import { type TrackedOrder, type TrackingBody, trackedOrder } from '#contract/paypal/tracking.ts'
import {
  type Agreement,
  type AgreementToken,
  type AgreementTokenBody,
  agreement,
  agreementToken,
  type NewAgreementToken,
  newAgreementToken,
  type PaymentToken,
  type PaymentTokenBody,
  paymentToken,
  paymentTokenList,
  type SetupToken,
  type SetupTokenBody,
  setupToken,
} from '#contract/paypal/vault.ts'
import {
  type RegisteredWebhook,
  registeredWebhooks,
  verificationAnswer,
  webhookHeaders,
} from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { type Token, tokenSource } from './access-token.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { type Exchange, exchange } from './exchange.ts'
import type { PayPalResult, Refused } from './result.ts'
import { retryAfterMs } from './retry-after.ts'

export type PayPalConfig = {
  /** `https://api-m.paypal.com`, the sandbox's or the emulator's, without a trailing slash. */
  readonly apiBase: string
  readonly clientId: string
  readonly clientSecret: string
  /** Id of this shop's registered webhook. */
  readonly webhookId: string
}

/** Equal for every repeat of one step of one order: a repeated call never moves money twice. */
export type Repeatable = { readonly requestId: string }

export type PayPal = {
  createOrder(body: OrderBody, options: Repeatable): Promise<PayPalResult<WalletOrder>>
  getOrder(id: string): Promise<PayPalResult<WalletOrder>>
  patchOrder(id: string, operations: readonly PatchOperation[]): Promise<PayPalResult<null>>
  captureOrder(id: string, options: Repeatable): Promise<PayPalResult<WalletOrder>>
  authorizeOrder(id: string, options: Repeatable): Promise<PayPalResult<WalletOrder>>
  getCapture(id: string): Promise<PayPalResult<Capture>>
  getAuthorization(id: string): Promise<PayPalResult<Authorization>>
  /** Reports a shipment of a captured order. */
  trackOrder(id: string, body: TrackingBody, options: Repeatable): Promise<PayPalResult<TrackedOrder>>
  captureAuthorization(id: string, body: CaptureAuthorizationBody, options: Repeatable): Promise<PayPalResult<Capture>>
  /** Voids an authorization; the response body may be empty. */
  voidAuthorization(id: string, options: Repeatable): Promise<PayPalResult<null>>
  reauthorize(id: string, body: { amount?: Amount }, options: Repeatable): Promise<PayPalResult<Authorization>>
  refundCapture(id: string, body: RefundBody, options: Repeatable): Promise<PayPalResult<Refund>>
  getRefund(id: string): Promise<PayPalResult<Refund>>
  createSetupToken(body: SetupTokenBody, options: Repeatable): Promise<PayPalResult<SetupToken>>
  getSetupToken(id: string): Promise<PayPalResult<SetupToken>>
  createPaymentToken(body: PaymentTokenBody, options: Repeatable): Promise<PayPalResult<PaymentToken>>
  getPaymentToken(id: string): Promise<PayPalResult<PaymentToken>>
  /** Lists all vault tokens of a customer. */
  listPaymentTokens(customer: string): Promise<PayPalResult<PaymentToken[]>>
  deletePaymentToken(id: string): Promise<PayPalResult<null>>
  /** Billing agreements, from before the vault. */
  createAgreementToken(body: AgreementTokenBody, options: Repeatable): Promise<PayPalResult<NewAgreementToken>>
  getAgreementToken(id: string): Promise<PayPalResult<AgreementToken>>
  createAgreement(tokenId: string, options: Repeatable): Promise<PayPalResult<Agreement>>
  /** Creates a token for the browser: accelerated checkout on these registrable domains. */
  browserToken(purpose: { domains: readonly string[] }): Promise<PayPalResult<Token>>
  /** Lists the registered webhooks with their event types. */
  listWebhooks(): Promise<PayPalResult<RegisteredWebhook[]>>
  /** Asks PayPal whether it sent these bytes with these headers. */
  verifyWebhookSignature(headers: Headers, rawBody: Uint8Array): Promise<PayPalResult<boolean>>
}

const totalMs = 10_000
const browserTokenMs = 5_000
const maxTries = 3
const firstPauseMs = 250

/** Schema of calls whose status is the whole result. */
const noBody = z.unknown().transform(() => null)

type Call<Value> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** JSON text. */
  readonly body?: string
  readonly requestId?: string
  readonly schema: z.ZodType<Value>
}

/**
 * Creates the client of PayPal's REST API. A call takes 10 s at most, retries included; its result states whether the
 * request had its effect, did not have it, or may have had it.
 */
export function createPayPal({ environment, config }: { environment: Environment; config: PayPalConfig }): PayPal {
  const { clock, chance, log } = environment
  const tokens = tokenSource(environment, config)
  const breaker = circuitBreaker(clock)

  async function call<Value>(request: Call<Value>): Promise<PayPalResult<Value>> {
    const startedAt = clock.now().getTime()
    const remainingMs = () => Math.min(totalMs, Math.max(0, totalMs - (clock.now().getTime() - startedAt)))
    /** Reason why an earlier try may have had its effect. From then on the call never counts as "not sent". */
    let unknownReason: string | undefined
    let renewedToken = false

    const notCarriedOut = (reason: string): PayPalResult<Value> =>
      unknownReason === undefined
        ? { ok: false, kind: 'unreachable', reason }
        : { ok: false, kind: 'unknown', reason: unknownReason }
    /** A refusal of this try alone does not settle an earlier one. */
    const refusedThisTry = (refused: Refused): PayPalResult<Value> =>
      unknownReason === undefined ? refused : { ok: false, kind: 'unknown', reason: unknownReason }
    const pause = async (tries: number, atLeastMs = 0): Promise<boolean> => {
      const ms = Math.max(atLeastMs, firstPauseMs * 2 ** (tries - 1) * (0.5 + chance.fraction()))
      if (tries >= maxTries || ms >= remainingMs()) return false
      await clock.sleep(ms)
      return true
    }

    for (let tries = 1; ; tries += 1) {
      if (!breaker.allows()) return notCarriedOut('the provider has failed repeatedly; calls are paused')

      const token = await tokens.get('server', remainingMs())
      if (!token.ok) {
        if (token.kind === 'refused') {
          breaker.succeeded()
          log.error(
            { issue: token.issue, status: token.status, debugId: token.debugId },
            'PayPal refuses our credentials',
          )
          return refusedThisTry({ ...token, details: [] })
        }
        breaker.failed()
        if (await pause(tries, token.retryAfterMs)) continue
        return notCarriedOut(token.reason)
      }

      const sentAt = clock.now().getTime()
      const answer = await exchange(
        environment,
        config.apiBase + request.path,
        init(request, token.value.token),
        remainingMs(),
      )
      note(request, answer, tries, clock.now().getTime() - sentAt)

      if (answer.kind === 'unreachable') {
        breaker.failed()
        if (await pause(tries)) continue
        return notCarriedOut(answer.reason)
      }
      const trouble = unknownOutcomeReason(answer)
      if (trouble !== undefined) {
        breaker.failed()
        unknownReason = trouble
        if (await pause(tries)) continue
        return { ok: false, kind: 'unknown', reason: trouble }
      }
      breaker.succeeded()
      // `unknownOutcomeReason` covers every other kind.
      if (answer.kind !== 'answer') throw new Error(`unexpected exchange result "${answer.kind}"`)

      if (answer.status < 300) return read(answer.body, request.schema)

      const refused = refusal(answer)
      if (answer.status === 401 && !renewedToken) {
        renewedToken = true
        tokens.reject(token.value.token)
        tries -= 1
        continue
      }
      if (answer.status === 401) return refusedThisTry(refused)
      if (answer.status === 429) {
        const retryAfter = retryAfterMs(answer.headers, clock.now())
        if (await pause(tries, retryAfter)) continue
        return refusedThisTry(retryAfter === undefined ? refused : { ...refused, retryAfterMs: retryAfter })
      }
      if (refused.issue === 'PREVIOUS_REQUEST_IN_PROGRESS') {
        // PayPal still processes a call with this request id: its outcome is unknown yet.
        unknownReason = refused.issue
        if (await pause(tries)) continue
        return { ok: false, kind: 'unknown', reason: refused.issue }
      }
      return refused
    }
  }

  function init({ method, body, requestId }: Call<unknown>, token: string): RequestInit {
    return {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { prefer: 'return=representation' } : {}),
        ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body }),
    }
  }

  function note({ method, path, requestId }: Call<unknown>, answer: Exchange, tries: number, ms: number): void {
    const facts = { method, path: withoutTokens(path), requestId, tries, ms }
    if (answer.kind !== 'answer')
      log.warn({ ...facts, outcome: answer.kind, reason: answer.reason }, 'PayPal did not answer')
    else if (answer.status < 300)
      log.info({ ...facts, status: answer.status, debugId: answer.debugId }, 'PayPal answered')
    else {
      const issue = refusal(answer).issue
      log.warn({ ...facts, status: answer.status, debugId: answer.debugId, issue }, 'PayPal refused')
    }
  }

  const order = (id: string) => `/v2/checkout/orders/${encodeURIComponent(id)}`
  const vault = (kind: 'setup' | 'payment', id?: string) =>
    `/v3/vault/${kind}-tokens${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  const payment = (kind: 'captures' | 'authorizations' | 'refunds', id: string) =>
    `/v2/payments/${kind}/${encodeURIComponent(id)}`

  return {
    createOrder: (body, { requestId }) =>
      call({ method: 'POST', path: '/v2/checkout/orders', body: JSON.stringify(body), requestId, schema: walletOrder }),
    getOrder: (id) => call({ method: 'GET', path: order(id), schema: walletOrder }),
    patchOrder: (id, operations) =>
      call({ method: 'PATCH', path: order(id), body: JSON.stringify(operations), schema: noBody }),
    captureOrder: (id, { requestId }) =>
      call({ method: 'POST', path: `${order(id)}/capture`, body: '{}', requestId, schema: walletOrder }),
    authorizeOrder: (id, { requestId }) =>
      call({ method: 'POST', path: `${order(id)}/authorize`, body: '{}', requestId, schema: walletOrder }),
    trackOrder: (id, body, { requestId }) =>
      call({ method: 'POST', path: `${order(id)}/track`, body: JSON.stringify(body), requestId, schema: trackedOrder }),
    getCapture: (id) => call({ method: 'GET', path: payment('captures', id), schema: capture }),
    getAuthorization: (id) => call({ method: 'GET', path: payment('authorizations', id), schema: authorization }),
    captureAuthorization: (id, body, { requestId }) =>
      call({
        method: 'POST',
        path: `${payment('authorizations', id)}/capture`,
        body: JSON.stringify(body),
        requestId,
        schema: capture,
      }),
    voidAuthorization: (id, { requestId }) =>
      call({ method: 'POST', path: `${payment('authorizations', id)}/void`, body: '{}', requestId, schema: noBody }),
    reauthorize: (id, body, { requestId }) =>
      call({
        method: 'POST',
        path: `${payment('authorizations', id)}/reauthorize`,
        body: JSON.stringify(body),
        requestId,
        schema: authorization,
      }),
    refundCapture: (id, body, { requestId }) =>
      call({
        method: 'POST',
        path: `${payment('captures', id)}/refund`,
        body: JSON.stringify(body),
        requestId,
        schema: refund,
      }),
    getRefund: (id) => call({ method: 'GET', path: payment('refunds', id), schema: refund }),
    createSetupToken: (body, { requestId }) =>
      call({ method: 'POST', path: vault('setup'), body: JSON.stringify(body), requestId, schema: setupToken }),
    getSetupToken: (id) => call({ method: 'GET', path: vault('setup', id), schema: setupToken }),
    createPaymentToken: (body, { requestId }) =>
      call({ method: 'POST', path: vault('payment'), body: JSON.stringify(body), requestId, schema: paymentToken }),
    getPaymentToken: (id) => call({ method: 'GET', path: vault('payment', id), schema: paymentToken }),
    async listPaymentTokens(customer) {
      const found: PaymentToken[] = []
      for (let page = 1; ; page += 1) {
        const query = new URLSearchParams({
          customer_id: customer,
          page_size: '20',
          page: String(page),
          total_required: 'true',
        })
        const answer = await call({ method: 'GET', path: `${vault('payment')}?${query}`, schema: paymentTokenList })
        if (!answer.ok) return answer
        found.push(...(answer.value.payment_tokens ?? []))
        if (page >= (answer.value.total_pages ?? 1)) return { ok: true, value: found }
      }
    },
    deletePaymentToken: (id) => call({ method: 'DELETE', path: vault('payment', id), schema: noBody }),
    createAgreementToken: (body, { requestId }) =>
      call({
        method: 'POST',
        path: '/v1/billing-agreements/agreement-tokens',
        body: JSON.stringify(body),
        requestId,
        schema: newAgreementToken,
      }),
    getAgreementToken: (id) =>
      call({
        method: 'GET',
        path: `/v1/billing-agreements/agreement-tokens/${encodeURIComponent(id)}`,
        schema: agreementToken,
      }),
    createAgreement: (tokenId, { requestId }) =>
      call({
        method: 'POST',
        path: '/v1/billing-agreements/agreements',
        body: JSON.stringify({ token_id: tokenId }),
        requestId,
        schema: agreement,
      }),
    async browserToken(purpose) {
      const token = await tokens.get(purpose, browserTokenMs)
      if (token.ok) return token
      if (token.kind === 'refused') return { ...token, details: [] }
      return { ok: false, kind: 'unreachable', reason: token.reason }
    },
    listWebhooks: () => call({ method: 'GET', path: '/v1/notifications/webhooks', schema: registeredWebhooks }),
    verifyWebhookSignature: (headers, rawBody) => {
      const body = verificationRequest(headers, rawBody, config.webhookId)
      if (body === undefined) return Promise.resolve({ ok: true, value: false })
      return call({
        method: 'POST',
        path: '/v1/notifications/verify-webhook-signature',
        body,
        schema: verificationAnswer.transform(({ verification_status }) => verification_status === 'SUCCESS'),
      })
    },
  }
}

/** Removes token ids from a logged path: with the shop's credentials they can be charged. */
function withoutTokens(path: string): string {
  return path.replace(/\?.*$/, '').replace(/(-tokens\/)[^/]+/, '$1…')
}

/** Returns why a request may have had its effect; undefined when the outcome is certain. */
function unknownOutcomeReason(answer: Exchange): string | undefined {
  if (answer.kind !== 'answer') return answer.reason
  const { status } = answer
  if (status >= 500 || status === 408) return `HTTP_${status}`
  if (status >= 300 && status < 400) return `unexpected redirect (${status})`
  if (status < 300 && answer.unreadable) return `unreadable answer: ${answer.unreadable}`
  return undefined
}

function read<Value>(body: unknown, schema: z.ZodType<Value>): PayPalResult<Value> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, kind: 'unknown', reason: `unexpected answer: ${z.prettifyError(parsed.error).slice(0, 300)}` }
}

function refusal({ status, body, debugId }: Extract<Exchange, { kind: 'answer' }>): Refused {
  const error = errorBody.safeParse(body).data ?? {}
  const details = error.details ?? []
  return {
    ok: false,
    kind: 'refused',
    issue: details[0]?.issue ?? error.name ?? error.error ?? `HTTP_${status}`,
    status,
    debugId: error.debug_id ?? debugId,
    details,
  }
}

/**
 * Builds the request that verifies a webhook. The event is inserted byte for byte: decoding and encoding would change
 * numbers and escapes, and so the signed bytes. Undefined when headers or bytes cannot be genuine.
 */
function verificationRequest(headers: Headers, rawBody: Uint8Array, webhookId: string): string | undefined {
  const fields = {
    auth_algo: headers.get(webhookHeaders.algorithm),
    cert_url: headers.get(webhookHeaders.certificateUrl),
    transmission_id: headers.get(webhookHeaders.transmissionId),
    transmission_sig: headers.get(webhookHeaders.transmissionSignature),
    transmission_time: headers.get(webhookHeaders.transmissionTime),
    webhook_id: webhookId,
  }
  if (Object.values(fields).some((value) => !value)) return undefined
  try {
    const event = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody)
    // Parsed only to prove that it is one JSON value, which cannot add fields to the request.
    JSON.parse(event)
    return `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${event}}`
  } catch {
    return undefined
  }
}
