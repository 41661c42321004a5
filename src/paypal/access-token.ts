import { errorBody } from '#contract/paypal/error.ts'
import { accessToken } from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { exchange } from './exchange.ts'
import { retryAfterMs } from './retry-after.ts'

/** Purpose of a token: the calls of this server, or accelerated checkout on these registrable domains. */
export type TokenPurpose = 'server' | { readonly domains: readonly string[] }

export type Token = { readonly token: string; readonly expiresAt: Date }

export type TokenResult =
  | { readonly ok: true; readonly value: Token }
  /** Invalid credentials, or a purpose that PayPal does not allow: a retry does not help. */
  | {
      readonly ok: false
      readonly kind: 'refused'
      readonly issue: string
      readonly status: number
      readonly debugId: string | undefined
    }
  | { readonly ok: false; readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | undefined }

export type TokenSource = {
  get(purpose: TokenPurpose, timeoutMs: number): Promise<TokenResult>
  /** Discards this token, unless a newer one has replaced it. */
  reject(token: string): void
}

type Credentials = { readonly apiBase: string; readonly clientId: string; readonly clientSecret: string }

/** Renewal margins: no call starts with a token that expires on the way, and a page uses its token for a while. */
const serverMarginMs = 60_000
const pageMarginMs = 100_000

/** Provides one token per purpose for all callers, cached until shortly before its expiry; concurrent callers share one request. */
export function tokenSource(
  environment: Pick<Environment, 'clock' | 'network'>,
  { apiBase, clientId, clientSecret }: Credentials,
): TokenSource {
  const { clock } = environment
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  const cached = new Map<string, { token: Token; renewAt: number }>()
  const pending = new Map<string, Promise<TokenResult>>()

  async function fetchToken(key: string, purpose: TokenPurpose, timeoutMs: number): Promise<TokenResult> {
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
        body: tokenRequest(purpose),
      },
      timeoutMs,
    )
    if (answer.kind !== 'answer') return { ok: false, kind: 'failed', reason: answer.reason, retryAfterMs: undefined }

    const parsed = accessToken.safeParse(answer.body)
    if (answer.status === 200 && parsed.success) {
      const lifeMs = parsed.data.expires_in * 1000
      const token = { token: parsed.data.access_token, expiresAt: new Date(sentAt + lifeMs) }
      const marginMs = purpose === 'server' ? serverMarginMs : pageMarginMs
      cached.set(key, { token, renewAt: sentAt + Math.max(lifeMs - marginMs, lifeMs / 2) })
      return { ok: true, value: token }
    }
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      const issue = errorBody.safeParse(answer.body).data?.error ?? `HTTP_${answer.status}`
      return { ok: false, kind: 'refused', issue, status: answer.status, debugId: answer.debugId }
    }
    return {
      ok: false,
      kind: 'failed',
      reason: `token endpoint answered ${answer.status}`,
      retryAfterMs: retryAfterMs(answer.headers, clock.now()),
    }
  }

  return {
    async get(purpose, timeoutMs) {
      const key = JSON.stringify(purpose)
      const known = cached.get(key)
      if (known && clock.now().getTime() < known.renewAt) return { ok: true, value: known.token }
      const running = pending.get(key) ?? fetchToken(key, purpose, timeoutMs).finally(() => pending.delete(key))
      pending.set(key, running)
      return running
    },
    reject(token) {
      for (const [key, known] of cached) if (known.token.token === token) cached.delete(key)
    },
  }
}

function tokenRequest(purpose: TokenPurpose): string {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (purpose !== 'server') {
    form.set('response_type', 'client_token')
    form.set('intent', 'sdk_init')
    for (const domain of purpose.domains) form.append('domains[]', domain)
  }
  return form.toString()
}
