import type { ErrorDetail } from '#contract/paypal/error.ts'

/** PayPal refused the request. It had no effect, except where the issue itself states one. */
export type Refused = {
  readonly ok: false
  readonly kind: 'refused'
  /** `INSTRUMENT_DECLINED`, `ORDER_ALREADY_CAPTURED` …; the error's name, or `HTTP_<status>`, without an issue. */
  readonly issue: string
  readonly status: number
  readonly debugId: string | undefined
  readonly details: readonly ErrorDetail[]
  /** Pause that PayPal requests; only with status 429. */
  readonly retryAfterMs?: number
}

/** The request may have had its effect: read the state first, never send it under a new id. */
export type Unknown = { readonly ok: false; readonly kind: 'unknown'; readonly reason: string }

/** The request never reached PayPal: it had no effect. */
export type Unreachable = { readonly ok: false; readonly kind: 'unreachable'; readonly reason: string }

export type PayPalResult<Value> = { readonly ok: true; readonly value: Value } | Refused | Unknown | Unreachable

/** Reports whether a refusal is about the moment only, by rate limit or access token: the request had no effect. */
export function isTransient({ status }: Pick<Refused, 'status'>): boolean {
  return status === 429 || status === 401
}

/** Reports a final refusal: the same request would be refused again. */
export function isFinal(result: PayPalResult<unknown>): result is Refused {
  return !result.ok && result.kind === 'refused' && !isTransient(result)
}
