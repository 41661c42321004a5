/**
 * Keys of all advisory locks of the shop, arbitrary but unique in a database. A key never changes, because processes of
 * the previous version use it too.
 */
export const advisoryLocks = {
  migrations: 7_305_117,
  settings: 7_305_118,
  slugs: 7_305_119,
  stockStatus: 7_305_120,
  rates: 7_305_311,
  productImport: 7_305_121,
  recordImport: 7_305_122,
  counting: 0x5741_7401,
  rollUp: 0x5741_7402,
  partitions: 0x5741_7403,
} as const

/** First keys of advisory locks with two keys. PostgreSQL keeps these apart from locks with one. */
export const advisoryLockPairs = {
  /** The second key is the number of a live process. */
  instances: 0x56_49_54,
  /** The second key is one of `machineLocks`. */
  machineTranslation: 0x56_49_54_4d,
  /** The second key is 1. */
  purges: 0x56_49_54_50,
  /** The second key is a hash of the visitor and the method. */
  paymentSetups: 7_101,
} as const

/** Second keys of `advisoryLockPairs.machineTranslation`. */
export const machineLocks = { queue: 1, call: 2 } as const
