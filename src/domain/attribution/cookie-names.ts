/** The tracker's cookies that hold data, by the names of the public data object: each with `sbjs_` in front. */
export const dataNames = ['current', 'current_add', 'first', 'first_add', 'session', 'udata', 'promo'] as const

/** And the one that says in which format. */
export const migrationsName = 'migrations'
