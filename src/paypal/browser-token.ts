import { z } from 'zod'
import { errorBody } from '#contract/paypal/error.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { exchange } from './exchange.ts'
import type { PayPalResult } from './result.ts'

/** Purpose of a browser token. */
export type BrowserTokenWanted =
  /** Accelerated checkout on these domains, registrable ones: `example.com`. */
  | { kind: 'accelerated'; domains: readonly string[] }
  /** Recognizes a payer whose payment methods PayPal stores under this id. */
  | { kind: 'returning'; customer: string }

type BrowserToken = { token: string; expiresAt: Date }
type Credentials = { readonly apiBase: string; readonly clientId: string; readonly clientSecret: string }

const answerBody = z.object({
  access_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.coerce.number().positive(),
})

/** Renewal margin: a page uses its token for a while. */
const renewalMarginMs = 100_000
const timeoutMs = 5_000
const maxTokens = 500

/** Provides tokens for pages, cached until shortly before their expiry, one per purpose. */
export function browserTokenSource(
  environment: Pick<Environment, 'clock' | 'network'>,
  { apiBase, clientId, clientSecret }: Credentials,
): { get(wanted: BrowserTokenWanted): Promise<PayPalResult<BrowserToken>> } {
  const { clock } = environment
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  const cached = new Map<string, BrowserToken>()
  const pending = new Map<string, Promise<PayPalResult<BrowserToken>>>()

  async function ask(key: string, wanted: BrowserTokenWanted): Promise<PayPalResult<BrowserToken>> {
    const sentAt = clock.now().getTime()
    const answer = await exchange(
      environment,
      `${apiBase}/v1/oauth2/token`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: tokenRequest(wanted).toString(),
      },
      timeoutMs,
    )
    if (answer.kind !== 'answer') return { ok: false, kind: 'unreachable', reason: answer.reason }
    const { data } = answerBody.safeParse(answer.body)
    const token = wanted.kind === 'returning' ? data?.id_token : data?.access_token
    if (answer.status !== 200 || !data || !token) {
      const issue = errorBody.safeParse(answer.body).data?.error ?? `HTTP_${answer.status}`
      return { ok: false, kind: 'refused', issue, status: answer.status, debugId: answer.debugId, details: [] }
    }
    const value = { token, expiresAt: new Date(sentAt + data.expires_in * 1000) }
    // Evicts the oldest: one shop has one domain, but many returning payers.
    const oldest = cached.keys().next().value
    if (cached.size >= maxTokens && oldest !== undefined) cached.delete(oldest)
    cached.set(key, value)
    return { ok: true, value }
  }

  return {
    get(wanted) {
      const key = JSON.stringify(wanted)
      const known = cached.get(key)
      if (known && known.expiresAt.getTime() - renewalMarginMs > clock.now().getTime()) {
        return Promise.resolve({ ok: true, value: known })
      }
      cached.delete(key)
      const running = pending.get(key) ?? ask(key, wanted).finally(() => pending.delete(key))
      pending.set(key, running)
      return running
    },
  }
}

function tokenRequest(wanted: BrowserTokenWanted): URLSearchParams {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (wanted.kind === 'returning') {
    form.set('response_type', 'id_token')
    form.set('target_customer_id', wanted.customer)
    return form
  }
  form.set('response_type', 'client_token')
  form.set('intent', 'sdk_init')
  for (const domain of wanted.domains) form.append('domains[]', domain)
  return form
}
