/**
 * The counted dimensions, each separately: no two properties of a visit are stored together, so that no visitor can be
 * recognized by a rare combination. The `detail` of each is described below.
 */
export const dimensions = [
  /** Totals of a day; the value is empty. */
  'total',
  /** `00` to `23`, in the shop's time zone. */
  'hour',
  /** The public path; detail: `product:12`, the type and id of the page. */
  'page',
  /** Named as in order attribution: `google`, `(direct)`, `blog.example`; detail: its channel. */
  'source',
  /** One of `channels`. */
  'channel',
  'medium',
  /** Detail: source and medium, as `newsletter / email`. */
  'campaign',
  /** Two letters; detail: `header` for a proxy's code, `language` for a guess by the browser's language. */
  'country',
  /** The browser's first language, without its region: `de`. */
  'language',
  'device',
  /** Detail: the major version. */
  'browser',
  'os',
  'currency',
  'search',
] as const

export type Dimension = (typeof dimensions)[number]
