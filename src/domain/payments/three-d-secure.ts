/** 3D Secure result of a card. Absent fields: unknown. */
export type AuthenticationFacts = {
  /** Y ready, N not enrolled, U unavailable, B bypassed. */
  readonly enrolled?: string | undefined
  /** Y done, N failed, R rejected, A attempted, U unable, C challenge needed, D decoupled, I informational. */
  readonly authenticated?: string | undefined
  /** Liability for a disputed payment: POSSIBLE and YES shift it to the bank. */
  readonly liability?: string | undefined
}

export type ThreeDSecurePolicy = {
  readonly request: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'
  /** The merchant's decisions, by `<enrolled>_<authenticated>_<liability>`. */
  readonly decisions: Readonly<Record<string, ThreeDSecureDecision>>
}

/** `reject`: another card is needed. `retry`: the same card may be tried again. Neither captures money. */
export type ThreeDSecureDecision = 'continue' | 'reject' | 'retry'

const defaultDecisions: Readonly<Record<string, ThreeDSecureDecision>> = {
  Y_Y_POSSIBLE: 'continue',
  Y_Y_YES: 'continue',
  Y_A_POSSIBLE: 'continue',
  Y_A_YES: 'continue',
  Y_N_NO: 'reject',
  Y_R_NO: 'reject',
  Y_U_NO: 'retry',
  Y_U_UNKNOWN: 'retry',
  Y_C_NO: 'retry',
  Y_C_UNKNOWN: 'retry',
  Y__NO: 'retry',
  // The card does not support 3D Secure: no authentication was possible.
  N__NO: 'continue',
  U__NO: 'continue',
  B__NO: 'continue',
  U__UNKNOWN: 'retry',
  __UNKNOWN: 'retry',
}

/**
 * Decides whether a card may be captured after 3D Secure. An unlisted result stops the payment: a capture without the
 * holder's consent is worse than another request.
 * @param facts null when there was no authentication
 */
export function threeDSecureDecision(
  facts: AuthenticationFacts | null,
  { request, decisions }: ThreeDSecurePolicy,
): ThreeDSecureDecision {
  const key = facts ? `${facts.enrolled ?? ''}_${facts.authenticated ?? ''}_${facts.liability ?? ''}` : '__'
  const wanted = Object.hasOwn(decisions, key) ? decisions[key] : undefined
  if (wanted) return wanted
  if (key === '__') return request === 'SCA_ALWAYS' ? 'retry' : 'continue'
  return (Object.hasOwn(defaultDecisions, key) ? defaultDecisions[key] : undefined) ?? 'retry'
}
