import { describe, expect, it } from 'vitest'
import { isReconciliationDue } from './reconciliation.ts'

const started = new Date('2026-03-01T10:00:00Z')
const minutesLater = (minutes: number) => new Date(started.getTime() + minutes * 60_000)

describe('when a payment under way is looked up', () => {
  it('F16 is at 1, 5, 15 and 60 minutes, and every hour from then on', () => {
    let checked: Date | null = null
    const looks: number[] = []
    for (let minute = 0; minute <= 300; minute += 1) {
      if (!isReconciliationDue(started, checked, minutesLater(minute))) continue
      looks.push(minute)
      checked = minutesLater(minute)
    }
    expect(looks).toEqual([1, 5, 15, 60, 120, 180, 240, 300])
  })

  it('F16 a look that was missed is made up for once, whenever the shop comes to it', () => {
    expect(isReconciliationDue(started, minutesLater(1.2), minutesLater(4.9))).toBe(false)
    expect(isReconciliationDue(started, minutesLater(1.2), minutesLater(6.5))).toBe(true)
    expect(isReconciliationDue(started, minutesLater(6.5), minutesLater(14))).toBe(false)
    expect(isReconciliationDue(started, minutesLater(6.5), minutesLater(59))).toBe(true)
    expect(isReconciliationDue(started, null, minutesLater(600))).toBe(true)
    expect(isReconciliationDue(started, minutesLater(600), minutesLater(601))).toBe(false)
  })

  it('is not before its first minute is over, nor by a clock that was put back', () => {
    expect(isReconciliationDue(started, null, minutesLater(0.9))).toBe(false)
    expect(isReconciliationDue(started, null, minutesLater(-5))).toBe(false)
  })
})
