/** What a card's bank said about its holder. Absent fields: it said nothing of that. */
export type AuthenticationFacts = {
  /** Y ready, N not enrolled, U unavailable, B bypassed. */
  readonly enrolled?: string | undefined
  /** Y done, N failed, R rejected, A attempted, U unable, C challenge needed, D decoupled, I informational. */
  readonly authenticated?: string | undefined
  /** Who bears the loss of a payment that its holder disputes: POSSIBLE and YES move it to the bank. */
  readonly liability?: string | undefined
}

export type ThreeDSecurePolicy = {
  readonly request: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'
  /** What the merchant decides otherwise, by `<enrolled>_<authenticated>_<liability>`. */
  readonly decisions: Readonly<Record<string, ThreeDSecureDecision>>
}

/** `reject`: another card is needed. `retry`: the same card may be tried again. In both nothing is taken. */
export type ThreeDSecureDecision = 'continue' | 'reject' | 'retry'

const usual: Readonly<Record<string, ThreeDSecureDecision>> = {
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
  // The card cannot do it: nobody could have been asked.
  N__NO: 'continue',
  U__NO: 'continue',
  B__NO: 'continue',
  U__UNKNOWN: 'retry',
  __UNKNOWN: 'retry',
}

/**
 * Whether the money of a card may be taken after 3-D Secure. What is in no table stops the payment: taking money that its
 * holder did not agree to is worse than asking again.
 * @param said null when no such question was put
 */
export function threeDSecureDecision(
  said: AuthenticationFacts | null,
  { request, decisions }: ThreeDSecurePolicy,
): ThreeDSecureDecision {
  const key = said ? `${said.enrolled ?? ''}_${said.authenticated ?? ''}_${said.liability ?? ''}` : '__'
  const wanted = Object.hasOwn(decisions, key) ? decisions[key] : undefined
  if (wanted) return wanted
  if (key === '__') return request === 'SCA_ALWAYS' ? 'retry' : 'continue'
  return (Object.hasOwn(usual, key) ? usual[key] : undefined) ?? 'retry'
}
