import { addressOf } from './address.ts'
import { cookieText, cookieValue, none, packed, unpacked } from './cookie-text.ts'
import { type TrackerOptions, trackingOf } from './tracker-options.ts'
import { trafficSource } from './traffic-source.ts'

/** One page as a visitor comes to it. */
export type VisitedPage = {
  readonly href: string
  /** '' without one. */
  readonly referrer: string
  readonly agent: string
  /** As `document.cookie` has them. */
  readonly cookies: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** How far the visitor's clock is ahead of UTC, in minutes. */
  readonly localOffset: number
  /** A number in [0, 1). */
  readonly chance: () => number
}

/** The cookies that hold data, by the names of the public data object: each with `sbjs_` in front. */
const dataNames = ['current', 'current_add', 'first', 'first_add', 'session', 'udata', 'promo'] as const

type CookieName = (typeof dataNames)[number] | 'migrations'
export type TrackerData = Record<(typeof dataNames)[number], Record<string, string>>

/** The one change of format that there has been, by the moment at which it was made: `|` became `|||`. */
const migration = '1418474375998'

const minute = 60_000

/**
 * What the tracker remembers.
 * @param cookies as `document.cookie` or a request's header have them; anybody may have written them
 */
export function trackerData(cookies: string): TrackerData {
  const entries = dataNames.map((name) => [name, unpacked(cookieText(cookies, `sbjs_${name}`))])
  // Proof of the cast: one entry for each name.
  return Object.fromEntries(entries) as TrackerData
}

/**
 * What a visited page adds to the tracker's cookies.
 * @returns texts for `document.cookie`, in the order in which they are written; extra data comes before the source it belongs to
 */
export function trackedVisit(page: VisitedPage, options: TrackerOptions = {}): string[] {
  const tracking = trackingOf(options, addressOf(page.href).host)
  const { base64, lifetimeMinutes } = tracking
  const writes: string[] = []
  const written = new Map<CookieName, string>()

  const read = (name: CookieName) => cookieText(written.get(name) ?? page.cookies, `sbjs_${name}`)
  const write = (name: CookieName, text: string, minutes = lifetimeMinutes, isolate = tracking.isolate) => {
    const cookie = `sbjs_${name}=${cookieValue(text, base64)}`
    written.set(name, cookie)
    const expires = minutes ? `; expires=${new Date(page.now + minutes * minute).toUTCString()}` : ''
    writes.push(`${cookie}${expires}${isolate ? '' : `;domain=.${tracking.host}`}; path=/`)
  }
  const session = (pages: number) => packed({ pgs: pages, cpg: page.href }, base64)

  if (!read('migrations')) {
    if (read('first')) migrate()
    write('migrations', `${migration}=1`)
  }

  const known = { session: read('session') !== '', source: read('current') !== '' }
  const source = trafficSource(page, known, tracking)
  if (source) {
    const extra = packed({ fd: fireDate(), ep: page.href, rf: page.referrer || none }, base64)
    write('current_add', extra)
    if (!read('first_add')) write('first_add', extra)
  }
  // Written on each page, so that its life begins anew.
  write('current', source ? packed(source, base64) : read('current'))
  if (!read('first')) write('first', read('current'))

  const visits = counted('udata', 'vst')
  const more = visits !== undefined && !known.session ? 1 : 0
  write('udata', packed({ vst: (visits ?? 1) + more, uip: tracking.ip, uag: page.agent }, base64))

  write('session', session((counted('session', 'pgs') ?? 0) + 1), tracking.sessionMinutes)

  if (tracking.promo && !read('promo')) {
    const { min, max } = tracking.promo
    const code = Math.floor(page.chance() * (max - min + 1)) + min
    write('promo', packed({ code: String(code).padStart(String(max).length, '0') }, base64))
  }
  return writes

  /** A count in a cookie: what is no number, or none yet, counts as one. Undefined without the cookie. */
  function counted(name: CookieName, key: string): number | undefined {
    const text = read(name)
    return text ? Number.parseInt(unpacked(text)[key] ?? '', 10) || 1 : undefined
  }

  /** `YYYY-MM-DD HH:MM:SS` */
  function fireDate(): string {
    const { timezoneHours } = tracking
    const offset = timezoneHours === undefined ? page.localOffset : timezoneHours * 60
    return new Date(page.now + offset * minute).toISOString().slice(0, 19).replace('T', ' ')
  }

  function migrate(): void {
    for (const name of dataNames) {
      const text = read(name)
      if (!text) continue
      write(name, '', -1)
      write(name, '', -1, !tracking.isolate)
      write(
        name,
        text.replace(/\|{1,3}/g, (run) => (run.length > 1 ? run : '|||')),
      )
    }
    if (read('session')) write('session', session(0))
  }
}
