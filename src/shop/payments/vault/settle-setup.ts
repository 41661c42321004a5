import { updateSetupToken } from '#database/payments/vault.ts'
import type { Tools } from '../../shared/tools.ts'
import type { AnyDecline, Reading } from '../operation/payment-step.ts'

export type SetupProblem =
  /** A retry is safe: it finds the result of the first call. */
  { ok: false; reason: 'unreachable' } | { ok: false; reason: 'refused'; issue: string }

/**
 * Settles a call to the vault in its row. A call that may have succeeded stays open, and the next one repeats it with
 * the same request id.
 */
export async function settleSetup<Done, Result>(
  tools: Tools,
  requestId: string,
  reading: Reading<Done, AnyDecline>,
  record: (value: Done) => Promise<Result>,
): Promise<Result | SetupProblem> {
  if (reading.kind === 'done') return record(reading.value)
  if (reading.kind !== 'declined') return { ok: false, reason: 'unreachable' }
  const { issue } = reading.decline
  await updateSetupToken(tools.db.kysely, requestId, { state: 'failed' })
  tools.log.warn({ issue }, 'payment method not saved')
  return { ok: false, reason: 'refused', issue }
}
