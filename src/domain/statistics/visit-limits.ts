/** A visit ends after this inactivity: the same default as in order attribution. */
export const visitMinutes = 30

/** Page views of one visitor per minute, and per day: more is a crawler. */
export const viewsPerMinute = 60
export const viewsPerDay = 1_000

/** Visitors seen within this time are online. Open pages report every 30 seconds. */
export const onlineSeconds = 120

/** The maximum lengths of stored texts, in characters. */
export const longestTexts = { path: 512, source: 100, medium: 60, campaign: 120, search: 100 } as const

/** Searches by fewer visitors may identify a person, so they are neither shown nor stored. */
export const fewestSearchers = 3
