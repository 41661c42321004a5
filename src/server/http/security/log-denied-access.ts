import { recordAccess } from '#database/customers/access-log.ts'
import { consumeRateLimit } from '#database/operations/rate-limits.ts'
import { sha256 } from '#shop/shared/digest.ts'
import type { Visit } from '../visit.ts'

/** Enough to show what a person tries; repeated attempts must not fill the list. */
const noted = { tries: 30, perMs: 15 * 60_000 }

/**
 * Records that a logged-in customer requested a resource of the staff without the role. Anonymous visitors cannot be
 * recorded.
 * @param subject `page:/translate/`, `call:media`
 */
export async function recordDenial(visit: Visit, subject: string): Promise<void> {
  const { customerId } = await visit.session()
  if (customerId === null) return
  const { tools } = visit.app
  const who = `customer:${customerId}`
  if ((await consumeRateLimit(tools.db, sha256(`denied|${who}`), noted, visit.now)) > 0) return
  await recordAccess(tools.db.kysely, { at: visit.now, who, action: 'denied', subject: subject.slice(0, 200) })
}
