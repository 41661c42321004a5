import { sql, type Transaction } from 'kysely'
import type { Clock } from '#contract/shared/environment.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** No setting: the merchant neither reads nor writes it. */
const tickKey = 'lastMinute'

/** Notes that a minute job runs now. @returns when that is, and when the one before ran, in whatever process; null: never */
export async function recordMinuteJob(
  tx: Transaction<Schema>,
  clock: Clock,
): Promise<{ now: Date; last: Date | null }> {
  await sql`insert into settings (key, value) values (${tickKey}, 'null') on conflict (key) do nothing`.execute(tx)
  const { rows } = await sql<{ at: string | null }>`
    select value #>> '{}' as at from settings where key = ${tickKey} for update`.execute(tx)
  // Read under the lock: of two processes the later one has the later time.
  const now = clock.now()
  await sql`update settings set value = to_jsonb(${now.toISOString()}::text) where key = ${tickKey}`.execute(tx)
  const at = rows[0]?.at
  return { now, last: at ? new Date(at) : null }
}

/**
 * Moves what ends after a while along with a clock that was set: an order that is not paid yet, and what is held for it, has
 * as long as it would have had. What was written since the clock was set is left alone.
 * @param last when the clock was known to go right
 * @param byMs how far it has gone beyond the time that passed; below zero: it was set back
 * @param holdMs how long an unpaid order waits
 * @returns how many reservations and orders were moved
 */
export async function shiftReservations(
  tx: Transaction<Schema>,
  { last, now, byMs, holdMs }: { last: Date; now: Date; byMs: number; holdMs: number },
): Promise<number> {
  const by = sql`make_interval(secs => ${byMs / 1000}::double precision)`
  const hold = sql`make_interval(secs => ${holdMs / 1000}::double precision)`
  // Set ahead: from before are those between the old time and the new. Set back: those that are in the future.
  const [after, until] =
    byMs > 0
      ? [new Date(last.getTime() - holdMs), new Date(last.getTime() + byMs / 2)]
      : [now, new Date(last.getTime() - byMs)]
  // In the order in which those lock them who place orders: the order, then its reservations.
  const orders = await sql`
    with waiting as (
      select id from orders where status = 'pending' and updated_at > ${after} and updated_at <= ${until}
      order by id for update
    )
    update orders set updated_at = updated_at + ${by} from waiting where orders.id = waiting.id`.execute(tx)
  const reservations = await sql`
    update stock_reservations set expires_at = expires_at + ${by}
    where expires_at > ${after}::timestamptz + ${hold} and expires_at <= ${until}::timestamptz + ${hold}`.execute(tx)
  return Number(orders.numAffectedRows ?? 0n) + Number(reservations.numAffectedRows ?? 0n)
}
