/** The tracker's data cookies, by the names of the public data object: each with the prefix `sbjs_`. */
export const dataNames = ['current', 'current_add', 'first', 'first_add', 'session', 'udata', 'promo'] as const

/** The cookie with the format version. */
export const migrationsName = 'migrations'
