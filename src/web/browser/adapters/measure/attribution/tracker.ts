import { trackerCookies } from '#contract/attribution/attribution.ts'
import { type TrackerData, trackedVisit, trackerData } from '#domain/attribution/tracked-visit.ts'
import { type TrackerOptions, trackingOf } from '#domain/attribution/tracker-options.ts'

/** What other scripts know as `sbjs`: analytics read `sbjs.get.current.src`. */
export type Tracker = {
  /** What is remembered; empty before it starts and after everything was deleted. */
  get: TrackerData
  /** Counts this page, once for each time that it is called. */
  init(options?: TrackerOptions & { callback?: (data: TrackerData) => void }): void
}

export const tracker: Tracker = {
  get: {},
  init(options = {}) {
    trackedVisit({ document, navigator, now: new Date(), chance: Math.random }, options).forEach(writeCookie)
    // As the browser has them now: one that keeps no cookies has no attribution either.
    tracker.get = trackerData(document.cookie)
    options.callback?.(tracker.get)
  },
}

/**
 * Deletes all that the tracker has written, under each domain that it may have been written for: this host, the one that the
 * tracker takes, and none.
 */
export function forget(options: TrackerOptions): void {
  tracker.get = {}
  const { hostname } = location
  for (const of of [`;domain=.${hostname}`, `;domain=.${trackingOf(options, hostname).host}`, ''])
    for (const name of trackerCookies) writeCookie(`${name}=; max-age=-999${of}; path=/`)
}

function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way answers late, and its cookies differ in their bytes.
  document.cookie = text
}
