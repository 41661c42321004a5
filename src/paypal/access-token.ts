import { errorBody } from '#contract/paypal/error.ts'
import { accessToken } from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { exchange } from './exchange.ts'

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  /** Invalid credentials: a retry does not help. */
  | {
      readonly ok: false
      readonly kind: 'refused'
      readonly issue: string
      readonly status: number
      readonly debugId: string | undefined
    }
  | { readonly ok: false; readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | undefined }

export type TokenSource = {
  get(timeoutMs: number): Promise<TokenResult>
  /** Discards this token, unless a newer one has replaced it. */
  reject(token: string): void
}

type Credentials = { readonly apiBase: string; readonly clientId: string; readonly clientSecret: string }

/** Renewal margin: no call starts with a token that expires on the way. */
const renewalMarginMs = 60_000

/** Provides one token for all callers: concurrent callers share one request. */
export function tokenSource(
  environment: Pick<Environment, 'clock' | 'network'>,
  { apiBase, clientId, clientSecret }: Credentials,
): TokenSource {
  const { clock } = environment
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  let current: { token: string; renewAt: number } | undefined
  let pending: Promise<TokenResult> | undefined

  async function fetchToken(timeoutMs: number): Promise<TokenResult> {
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
        body: 'grant_type=client_credentials',
      },
      timeoutMs,
    )
    if (answer.kind !== 'answer') return { ok: false, kind: 'failed', reason: answer.reason, retryAfterMs: undefined }

    const parsed = accessToken.safeParse(answer.body)
    if (answer.status === 200 && parsed.success) {
      const lifeMs = parsed.data.expires_in * 1000
      current = { token: parsed.data.access_token, renewAt: sentAt + Math.max(lifeMs - renewalMarginMs, lifeMs / 2) }
      return { ok: true, token: current.token }
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
    async get(timeoutMs) {
      if (current && clock.now().getTime() < current.renewAt) return { ok: true, token: current.token }
      pending ??= fetchToken(timeoutMs).finally(() => {
        pending = undefined
      })
      return pending
    },
    reject(token) {
      if (current?.token === token) current = undefined
    },
  }
}

/** Returns the pause of a `Retry-After` header, in seconds or as a date; undefined without a usable one. */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
