/**
 * What is counted, each by itself: no two properties of a visit are kept together, so that nobody can be recognised by a rare
 * mixture of them. `detail` of a count says more of its value: see each line.
 */
export const dimensions = [
  /** All of a day; the value is empty. */
  'total',
  /** `00` to `23`, as the shop's clock has it. */
  'hour',
  /** A path as visitors see it; detail: `product:12`, the type of the page and what it shows. */
  'page',
  /** As the attribution of orders names it: `google`, `(direct)`, `blog.example`; detail: its channel. */
  'source',
  /** One of `channels`. */
  'channel',
  'medium',
  /** Detail: source and medium, as `newsletter / email`. */
  'campaign',
  /** Two letters; detail: `header` where a proxy named it, `language` where it is guessed by what the browser speaks. */
  'country',
  /** The language that a browser asks for first, without its region: `de`. */
  'language',
  'device',
  /** Detail: the major version. */
  'browser',
  'os',
  'currency',
  'search',
] as const

export type Dimension = (typeof dimensions)[number]
