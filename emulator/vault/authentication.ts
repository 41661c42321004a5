/** 3-D Secure as the bank ended it, in the provider's letters. An empty object: nothing came back. */
export type AuthenticationResult = {
  liabilityShift: 'POSSIBLE' | 'NO' | 'UNKNOWN'
  enrollment?: 'Y' | 'N' | 'U' | 'B'
  authentication?: 'Y' | 'N' | 'R' | 'A' | 'U' | 'C'
}

/** What a card's bank does when strong authentication is wanted. */
export type Challenge = {
  /** Whether the buyer sees the bank's page; without it the result is known at once. */
  page: 'asks' | 'runs by itself' | 'none'
  result: AuthenticationResult
  text: string
}

/** By the last four digits of the card's number (ours): one for each row of what the provider documents. */
export const CHALLENGES: Readonly<Record<string, Challenge>> = {
  '1109': challenge('asks', 'POSSIBLE', 'Y', 'Y', 'the buyer decides at the bank'),
  '1117': challenge('runs by itself', 'POSSIBLE', 'Y', 'Y', 'authenticated'),
  '1125': challenge('runs by itself', 'POSSIBLE', 'Y', 'A', 'attempted'),
  '1133': challenge('runs by itself', 'NO', 'Y', 'N', 'failed'),
  '1141': challenge('runs by itself', 'NO', 'Y', 'R', 'rejected'),
  '1158': challenge('runs by itself', 'UNKNOWN', 'Y', 'U', 'could not be done'),
  '1166': challenge('runs by itself', 'NO', 'Y', 'U', 'could not be done, no shift'),
  '1174': challenge('runs by itself', 'UNKNOWN', 'Y', 'C', 'a challenge was left open'),
  '1182': challenge('runs by itself', 'NO', 'Y', undefined, 'no answer of the bank'),
  '1190': challenge('none', 'NO', 'N', undefined, 'card takes no part'),
  '1208': challenge('none', 'NO', 'U', undefined, 'bank unavailable, no shift'),
  '1216': challenge('none', 'UNKNOWN', 'U', undefined, 'bank unavailable, shift unknown'),
  '1224': challenge('none', 'NO', 'B', undefined, 'bypassed'),
  '1232': challenge('none', 'UNKNOWN', undefined, undefined, 'nothing is known'),
}

function challenge(
  page: Challenge['page'],
  liabilityShift: AuthenticationResult['liabilityShift'],
  enrollment: AuthenticationResult['enrollment'],
  authentication: AuthenticationResult['authentication'],
  text: string,
): Challenge {
  const result: AuthenticationResult = {
    liabilityShift,
    ...(enrollment === undefined ? {} : { enrollment }),
    ...(authentication === undefined ? {} : { authentication }),
  }
  return { page, result, text }
}

export function challengeOf(number: string): Challenge | undefined {
  const ending = number.slice(-4)
  return Object.hasOwn(CHALLENGES, ending) ? CHALLENGES[ending] : undefined
}

/** What the bank's page ends with; `by itself` takes the result of the card. */
export type ChallengeEnd = 'succeeded' | 'failed' | 'by itself'

export function resultOf(challenge: Challenge, end: ChallengeEnd): AuthenticationResult {
  if (end === 'by itself') return challenge.result
  return end === 'succeeded'
    ? { liabilityShift: 'POSSIBLE', enrollment: 'Y', authentication: 'Y' }
    : { liabilityShift: 'NO', enrollment: 'Y', authentication: 'N' }
}

/** `authentication_result` of an answer. */
export function authenticationView(result: AuthenticationResult): object {
  const { liabilityShift, enrollment, authentication } = result
  return {
    liability_shift: liabilityShift,
    ...(enrollment === undefined && authentication === undefined
      ? {}
      : {
          three_d_secure: {
            ...(enrollment === undefined ? {} : { enrollment_status: enrollment }),
            ...(authentication === undefined ? {} : { authentication_status: authentication }),
          },
        }),
  }
}
