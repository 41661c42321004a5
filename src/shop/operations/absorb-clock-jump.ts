import { transaction } from '#database/engine/connect.ts'
import { recordMinuteJob, shiftReservations } from '#database/operations/clock-jumps.ts'
import type { Tools } from '../shared/tools.ts'

const minuteMs = 60_000
/** Minute jobs are no more than this late, even on a machine that is busy. */
const latenessMs = 5 * minuteMs

/**
 * Finds out whether the clock was set, or the machine slept, since the minute job before, and lets reservations and unpaid
 * orders go on from where they were: a clock that was put right takes nothing from anybody who is about to pay. Whatever
 * is promised to a date, as the end of a sale is, follows the clock. @returns by how much it had been set
 */
export async function absorbClockJump(tools: Tools): Promise<number> {
  return transaction(tools, async (tx) => {
    const { now, last } = await recordMinuteJob(tx, tools.clock)
    const byMs = last ? now.getTime() - last.getTime() - minuteMs : 0
    if (!last || Math.abs(byMs) <= latenessMs) return 0
    const holdMs = tools.settings.holdStockMinutes * minuteMs
    const moved = await shiftReservations(tx, { last, now, byMs, holdMs })
    tools.log.warn({ seconds: Math.round(byMs / 1000), moved }, 'the clock was set, or the shop slept')
    return byMs
  })
}
