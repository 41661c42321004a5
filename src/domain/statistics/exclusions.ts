/** Why something was not counted. The order is that in which they are looked for. */
export const exclusions = [
  /** No agent, an agent that says it is a program, or nothing that a browser sends along. */
  'robot',
  /** The visitor's browser says that its user does not want to be counted. */
  'do-not-track',
  'global-privacy-control',
  /** The page came ready-made for a visit that may never be. */
  'prefetch',
  /** A page that is not there. */
  '404',
  /** A path that the merchant does not want counted. */
  'path',
  /** By those who work in the shop. */
  'staff',
  /** Another site has sent the call. */
  'cross-site',
  /** One visitor at a pace that no person has, or with more views in a day than a person reads. */
  'too-many',
  /** The shop had more important things to do. */
  'shed',
] as const

export type Exclusion = (typeof exclusions)[number]
