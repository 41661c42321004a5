import { dataNames, type migrationsName } from './cookie-names.ts'
import { cookieText, cookieValue, none, packCookie, unpackCookie } from './cookie-text.ts'
import { type TrackerOptions, trackingOf } from './tracker-options.ts'
import { trafficSource } from './traffic-source.ts'
import { addressParts } from './url-parts.ts'

/** A visited page; the browser's own objects serve for the first two. */
export type Visit = {
  /** `referrer` is '' without one, `cookie` contains all cookies of the page. */
  readonly document: { readonly URL: string; readonly referrer: string; readonly cookie: string }
  readonly navigator: { readonly userAgent: string }
  /** By the visitor's own clock. */
  readonly now: Date
  /** A number in [0, 1). */
  readonly chance: () => number
}

type CookieName = (typeof dataNames)[number] | typeof migrationsName

/** By cookie, without `sbjs_`, the values by key. */
export type TrackerData = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The only format change so far, by its time: `|` became `|||`. */
const migrated = '1418474375998=1'

const minute = 60_000
const minutesOfMonth = 30 * 24 * 60

/**
 * Returns the data stored by the tracker.
 * @param cookies in the format of `document.cookie` or a request header; untrusted
 */
export const trackerData = (cookies: string): TrackerData =>
  Object.fromEntries(dataNames.map((name) => [name, unpackCookie(cookieText(cookies, `sbjs_${name}`))]))

/**
 * Returns the cookies that a visited page adds.
 * @returns texts for `document.cookie`, in writing order; extra data precedes the source it belongs to
 */
export function trackedVisit({ document, navigator, now, chance }: Visit, options: TrackerOptions): string[] {
  const { URL: href, referrer } = document
  const tracking = trackingOf(options, addressParts(href)[0])
  const { base64, host, isolate, promocode } = tracking
  const lifetime = Math.trunc((Number(options.lifetime) || 6) * minutesOfMonth)
  const writes: string[] = []
  let written = ''

  /** A value that was just written takes precedence over the browser's. */
  const read = (name: CookieName) => cookieText(written + document.cookie, `sbjs_${name}`)
  const write = (name: CookieName, text: string, minutes = lifetime, alone = isolate) => {
    const cookie = `sbjs_${name}=${cookieValue(text, base64)}`
    written = `${cookie};${written}`
    const expires = minutes ? `; expires=${new Date(now.getTime() + minutes * minute).toUTCString()}` : ''
    writes.push(`${cookie}${expires}${alone ? '' : `;domain=.${host}`}; path=/`)
  }
  const session = (pages: number) => packCookie({ pgs: pages, cpg: href })
  /** A count in a cookie: what is no number counts as one. */
  const count = (text: string, key: string) => whole(unpackCookie(text)[key]) || 1

  if (!read('migrations')) {
    if (read('first')) {
      for (const name of dataNames) {
        const text = read(name)
        if (!text) continue
        write(name, '', -1)
        write(name, '', -1, !isolate)
        write(
          name,
          text.replace(/\|{1,3}/g, (run) => (run[1] ? run : '|||')),
        )
      }
      if (read('session')) write('session', session(0))
    }
    write('migrations', migrated)
  }

  const visit = read('session')
  const before = read('current')
  const source = trafficSource({ href, referrer }, { session: visit, source: before }, tracking)
  if (source) {
    const hours = whole(options.timezone_offset || undefined)
    // Undefined and NaN compare as false.
    const ahead = hours < 99 ? hours * 60 : -now.getTimezoneOffset()
    const fd = new Date(now.getTime() + ahead * minute).toISOString().slice(0, 19).replace('T', ' ')
    const extra = packCookie({ fd, ep: href, rf: referrer || none })
    write('current_add', extra)
    if (!read('first_add')) write('first_add', extra)
  }
  // Written on each page, so that its life begins anew.
  write('current', source ? packCookie(source) : before)
  if (!read('first')) write('first', read('current'))

  const user = read('udata')
  const vst = user ? count(user, 'vst') + (visit ? 0 : 1) : 1
  write('udata', packCookie({ vst, uip: options.user_ip || none, uag: navigator.userAgent }))
  write('session', session(visit ? count(visit, 'pgs') + 1 : 1), whole(options.session_length) || 30)

  if (promocode && !read('promo')) {
    const { min, max }: { min?: unknown; max?: unknown } = Object(promocode)
    const most = whole(max) || 999_999
    const least = whole(min) || 100_000
    const code = Math.floor(chance() * (most - least + 1)) + least
    write('promo', packCookie({ code: `${code}`.padStart(`${most}`.length, '0') }))
  }
  return writes
}

const whole = (value: unknown) => Number.parseInt(`${value}`, 10)
