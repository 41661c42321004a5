/** The reasons for an exclusion, in the order of the checks. */
export const exclusions = [
  /** No user agent, that of a program, or missing browser headers. */
  'robot',
  /** The visitor's browser sends a do-not-track signal. */
  'do-not-track',
  'global-privacy-control',
  /** A prefetched page, which may never be visited. */
  'prefetch',
  /** A missing page. */
  '404',
  /** A path that the merchant excludes. */
  'path',
  /** Staff of the shop. */
  'staff',
  /** A request from another site. */
  'cross-site',
  /** A visitor whose rate, or number of views per day, exceeds that of a person. */
  'too-many',
  /** Dropped under load. */
  'shed',
] as const

export type Exclusion = (typeof exclusions)[number]
