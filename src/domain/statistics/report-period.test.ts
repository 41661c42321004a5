import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, daysOf, periodBefore, periodNames, reportPeriod } from './report-period.ts'

const today = '2026-03-10'

describe('the period of a report', () => {
  it.each([
    ['today', '2026-03-10', '2026-03-10'],
    ['yesterday', '2026-03-09', '2026-03-09'],
    ['7-days', '2026-03-04', '2026-03-10'],
    ['30-days', '2026-02-09', '2026-03-10'],
    ['90-days', '2025-12-11', '2026-03-10'],
    ['12-months', '2025-03-12', '2026-03-10'],
  ])('%s begins on %s and ends on %s', (period, from, to) => {
    expect(reportPeriod({ period }, today)).toEqual({ name: period, from, to })
  })

  it('is the last 30 days where nothing that can be read is asked for', () => {
    const usual = reportPeriod({}, today)
    expect(usual.name).toBe('30-days')
    for (const asked of [
      { period: 'ever' },
      { from: '2026-02-30', to: '2026-03-01' },
      { from: '2026-02-01' },
      { to: '2026-02-01' },
      { from: '"; drop', to: '9'.repeat(8192) },
    ]) {
      expect(reportPeriod(asked, today)).toEqual(usual)
    }
  })

  it('takes two days in any order, and none of the future', () => {
    const chosen = { name: 'chosen', from: '2026-02-01', to: '2026-02-28' }
    expect(reportPeriod({ from: '2026-02-01', to: '2026-02-28' }, today)).toEqual(chosen)
    expect(reportPeriod({ from: '2026-02-28', to: '2026-02-01' }, today)).toEqual(chosen)
    expect(reportPeriod({ from: '2026-03-01', to: '2027-01-01' }, today)).toMatchObject({ to: today })
    expect(reportPeriod({ from: '2027-01-01', to: '2027-01-02' }, today)).toMatchObject({ from: today, to: today })
    expect(daysOf(reportPeriod({ from: '1999-01-01', to: today }, today))).toHaveLength(800)
  })

  it('follows the one before without a gap, and is as long', () => {
    expect(periodBefore({ from: '2026-03-01', to: '2026-03-10' })).toEqual({ from: '2026-02-19', to: '2026-02-28' })
    fc.assert(
      fc.property(fc.constantFrom(...periodNames), fc.integer({ min: 0, max: 20_000 }), (period, after) => {
        const now = reportPeriod({ period }, addDays('2000-01-01', after))
        const before = periodBefore(now)
        expect(daysOf(before)).toHaveLength(daysOf(now).length)
        expect(addDays(before.to, 1)).toBe(now.from)
        expect(daysBetween(before.from, now.to) + 1).toBe(2 * daysOf(now).length)
      }),
    )
  })
})
