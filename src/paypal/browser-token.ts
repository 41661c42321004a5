import { z } from 'zod'
import { errorBody } from '#contract/paypal/error.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { exchange } from './exchange.ts'
import type { PayPalResult } from './result.ts'

/** What a token for the browser is for. */
export type BrowserTokenWanted =
  /** Accelerated checkout on these domains, registrable ones: `example.com`. */
  | { kind: 'accelerated'; domains: readonly string[] }
  /** Recognises a payer whose means the provider keeps under this id. */
  | { kind: 'returning'; customer: string }

type BrowserToken = { token: string; expiresAt: Date }
type Credentials = { readonly apiBase: string; readonly clientId: string; readonly clientSecret: string }

const answerBody = z.object({
  access_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.coerce.number().positive(),
})

/** Asked for anew this long before it ends: a page that carries it is used for a while. */
const earlyMs = 100_000
const timeoutMs = 5_000
const mostKept = 500

/** Tokens that a page may carry. They are kept until shortly before their end, one per purpose. */
export function browserTokenSource(
  environment: Pick<Environment, 'clock' | 'network'>,
  { apiBase, clientId, clientSecret }: Credentials,
): { get(wanted: BrowserTokenWanted): Promise<PayPalResult<BrowserToken>> } {
  const { clock } = environment
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  const kept = new Map<string, BrowserToken>()
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
        body: question(wanted).toString(),
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
    // The oldest goes first: one shop has one domain, but many returning payers.
    const oldest = kept.keys().next().value
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(key, value)
    return { ok: true, value }
  }

  return {
    get(wanted) {
      const key = JSON.stringify(wanted)
      const known = kept.get(key)
      if (known && known.expiresAt.getTime() - earlyMs > clock.now().getTime()) {
        return Promise.resolve({ ok: true, value: known })
      }
      kept.delete(key)
      const running = pending.get(key) ?? ask(key, wanted).finally(() => pending.delete(key))
      pending.set(key, running)
      return running
    },
  }
}

function question(wanted: BrowserTokenWanted): URLSearchParams {
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
