import { sql, type Transaction } from 'kysely'
import type { Clock } from '#contract/shared/environment.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Internal: not a setting of the merchant. */
const tickKey = 'lastMinute'

/** Records the run of a minute job. @returns its time, and that of the previous run in any process; null: never */
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
 * Shifts expiry times after the clock was set: unpaid orders and their reservations keep their remaining time. Rows
 * written since the clock was set stay unchanged.
 * @param last latest time at which the clock was known to be right
 * @param byMs jump beyond the elapsed time; negative: the clock was set back
 * @param holdMs how long an unpaid order waits
 * @returns the number of shifted reservations and orders
 */
export async function shiftReservations(
  tx: Transaction<Schema>,
  { last, now, byMs, holdMs }: { last: Date; now: Date; byMs: number; holdMs: number },
): Promise<number> {
  const by = sql`make_interval(secs => ${byMs / 1000}::double precision)`
  const hold = sql`make_interval(secs => ${holdMs / 1000}::double precision)`
  // After a forward jump, older rows are between the old and the new time. After a backward jump, they are in the
  // future.
  const [after, until] =
    byMs > 0
      ? [new Date(last.getTime() - holdMs), new Date(last.getTime() + byMs / 2)]
      : [now, new Date(last.getTime() - byMs)]
  // The lock order of placing an order: the order, then its reservations.
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
