import { transaction } from '#database/engine/connect.ts'
import { recordMinuteJob, shiftReservations } from '#database/operations/clock-jumps.ts'
import type { Tools } from '../shared/tools.ts'

const minuteMs = 60_000
/** Maximum delay of minute jobs, even on a busy machine. */
const latenessMs = 5 * minuteMs

/**
 * Detects whether the clock was set, or the machine slept, since the last minute job, and shifts reservations and
 * unpaid orders accordingly: a corrected clock must not cancel a shopper's payment. Calendar dates, such as the end of
 * a sale, follow the clock.
 * @returns the jump in milliseconds
 */
export async function absorbClockJump(tools: Tools): Promise<number> {
  return transaction(tools, async (tx) => {
    const { now, last } = await recordMinuteJob(tx, tools.clock)
    const byMs = last ? now.getTime() - last.getTime() - minuteMs : 0
    if (!last || Math.abs(byMs) <= latenessMs) return 0
    const holdMs = tools.settings.holdStockMinutes * minuteMs
    const moved = await shiftReservations(tx, { last, now, byMs, holdMs })
    tools.log.warn({ seconds: Math.round(byMs / 1000), moved }, 'clock jump detected')
    return byMs
  })
}
