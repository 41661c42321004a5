/** The emulator's time: the given clock moved by whatever the control API asked for. */
export type EmulatorClock = {
  now(): Date
  /** Moves the time by `ms`, forwards or backwards. */
  advance(ms: number): void
  reset(): void
}

export function emulatorClock(source: { now(): Date }): EmulatorClock {
  let offsetMs = 0
  return {
    now: () => new Date(source.now().getTime() + offsetMs),
    advance: (ms) => {
      offsetMs += ms
    },
    reset: () => {
      offsetMs = 0
    },
  }
}

/** RFC 3339 with whole seconds, the form of every time in the provider's answers. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
