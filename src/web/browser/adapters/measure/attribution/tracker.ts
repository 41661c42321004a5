import { trackerCookies } from '#contract/attribution/attribution.ts'
import { type TrackerData, trackedVisit, trackerData } from '#domain/attribution/tracked-visit.ts'
import { type TrackerOptions, trackingOf } from '#domain/attribution/tracker-options.ts'

/** The global `sbjs` of other scripts: analytics read `sbjs.get.current.src`. */
export type Tracker = {
  /** The stored data; empty before the start and after a deletion. */
  get: TrackerData
  /** Counts this page on every call. */
  init(options?: TrackerOptions & { callback?: (data: TrackerData) => void }): void
}

export const tracker: Tracker = {
  get: {},
  init(options = {}) {
    trackedVisit({ document, navigator, now: new Date(), chance: Math.random }, options).forEach(writeCookie)
    // Reads the browser's cookies: without cookies there is no attribution.
    tracker.get = trackerData(document.cookie)
    options.callback?.(tracker.get)
  },
}

/**
 * Deletes all cookies of the tracker, under each domain that it may have written: this host, the tracker's domain, and
 * none.
 */
export function forget(options: TrackerOptions): void {
  tracker.get = {}
  const { hostname } = location
  for (const of of [`;domain=.${hostname}`, `;domain=.${trackingOf(options, hostname).host}`, ''])
    for (const name of trackerCookies) writeCookie(`${name}=; max-age=-999${of}; path=/`)
}

function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and writes other bytes.
  document.cookie = text
}
