import type { Tools } from '../shared/tools.ts'

/** A moment in the shop's time zone: `2026-11-22`, `07`. */
export type ShopHour = { readonly day: string; readonly hour: string }

/**
 * Returns a function for day and hour in a time zone. It is called for every page view, so each minute is computed
 * once.
 */
export function shopHours(settings: () => Pick<Tools['settings'], 'timeZone'>): (at: Date) => ShopHour {
  let known: { readonly minute: number; readonly zone: string; readonly hour: ShopHour } | null = null
  return (at) => {
    const minute = Math.floor(at.getTime() / 60_000)
    const zone = settings().timeZone
    if (known?.minute !== minute || known.zone !== zone) known = { minute, zone, hour: hourIn(zone, at) }
    return known.hour
  }
}

function hourIn(timeZone: string, at: Date): ShopHour {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: part('hour') }
}
