import type { SetupResult } from '#shop/payments/vault/create-setup-token.ts'
import type { KeepResult } from '#shop/payments/vault/save-approved-method.ts'
import type { Eligibility } from '#shop/payments/vault/vault-eligibility.ts'
import type { Visit } from '../http/visit.ts'
import { paymentRefusal } from './wallet-answer.ts'

export type SaveMethodRefusal =
  | { reason: Exclude<Eligibility, 'yes'> }
  | (KeepResult & { ok: false })
  | (SetupResult & { ok: false })

const statuses: Readonly<Partial<Record<SaveMethodRefusal['reason'], number>>> = {
  'log-in': 401,
  'too-many': 429,
  unknown: 404,
  unreachable: 503,
}

/** Returns the visitor's message for a payment method that could not be saved. */
export async function saveMethodProblem(visit: Visit, { reason }: Pick<SaveMethodRefusal, 'reason'>): Promise<string> {
  const { t } = await visit.app.shop()
  switch (reason) {
    case 'no':
      return t('This payment method cannot be saved here.')
    case 'log-in':
      return t('Please log in, or create an account with your order, to save a payment method.')
    case 'too-many':
      return t('Too many attempts. Please wait a few minutes, then try again.')
    case 'unknown':
      return t('Saving this payment method was started elsewhere. Please start again here.')
    case 'not-approved':
      return t('The payment method was not confirmed, so it was not saved.')
    case 'not-yours':
      return t('This payment method is already saved in another account.')
    case 'unreachable':
      return t('The payment provider cannot be reached at the moment. Nothing was saved; please try again.')
    case 'refused':
      return t('The payment provider refused to save this payment method. Please try another one.')
  }
}

/** Returns the refusal as a response of the payment routes. */
export async function saveMethodRefusal(visit: Visit, refusal: SaveMethodRefusal): Promise<Response> {
  const code = refusal.reason === 'unreachable' ? 'unreachable' : 'vault_error'
  const issue = 'issue' in refusal ? { issue: refusal.issue } : {}
  const status = statuses[refusal.reason] ?? 400
  const response = paymentRefusal(code, await saveMethodProblem(visit, refusal), issue, status)
  if ('waitMs' in refusal) response.headers.set('Retry-After', String(Math.ceil(refusal.waitMs / 1000)))
  return response
}
