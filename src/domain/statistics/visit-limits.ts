/** A visit ends when nothing was looked at for so long: as the attribution of orders has it unless told otherwise. */
export const visitMinutes = 30

/** Pages of one visitor in a minute, and in a day: beyond it, a program leafs through the shop. */
export const viewsPerMinute = 60
export const viewsPerDay = 1_000

/** Who was seen so lately is here. Open pages say so every half a minute. */
export const onlineSeconds = 120

/** The longest texts that are kept, in characters. */
export const longestTexts = { path: 512, source: 100, medium: 60, campaign: 120, search: 100 } as const

/** Searches that fewer visitors have made may tell who asked, so they are neither shown nor kept. */
export const fewestSearchers = 3
