const clocks = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time in a time zone: `2026-05-10T12:00:00`. */
export function localTime(at: Date, timeZone: string): string {
  let clock = clocks.get(timeZone)
  if (!clock) {
    const two = '2-digit'
    const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
    clock = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', ...parts })
    clocks.set(timeZone, clock)
  }
  const of = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${of.year}-${of.month}-${of.day}T${of.hour}:${of.minute}:${of.second}`
}

/** Returns the offset from UTC in hours at a moment: 5.5, or a negative number. */
export function hoursAhead(at: Date, timeZone: string): number {
  const [there, utc] = [timeZone, 'UTC'].map((zone) => Date.parse(`${localTime(at, zone)}Z`))
  return ((there ?? 0) - (utc ?? 0)) / 3_600_000
}

/** Returns a moment for files, in UTC to the second: `2026-05-10T12:00:00Z`. */
export function momentText(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}
