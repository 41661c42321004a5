import type { ErrorDetail } from '#contract/paypal/error.ts'

/** The provider read the request and said no. Nothing was done, except where the issue itself says so. */
export type Refused = {
  readonly ok: false
  readonly kind: 'refused'
  /** `INSTRUMENT_DECLINED`, `ORDER_ALREADY_CAPTURED` …; the error's name, or `HTTP_<status>`, when no issue is given. */
  readonly issue: string
  readonly status: number
  readonly debugId: string | undefined
  readonly details: readonly ErrorDetail[]
  /** How long the provider asked to be left alone; only with status 429. */
  readonly retryAfterMs?: number
}

/** The request may or may not have had its effect: read before doing anything else, never send it under a new id. */
export type Unknown = { readonly ok: false; readonly kind: 'unknown'; readonly reason: string }

/** The request never reached the provider: nothing happened there. */
export type Unreachable = { readonly ok: false; readonly kind: 'unreachable'; readonly reason: string }

export type PayPalResult<Value> = { readonly ok: true; readonly value: Value } | Refused | Unknown | Unreachable
