/** Channels of visits, as merchants group them. */
export const channels = ['direct', 'search', 'social', 'email', 'referral', 'paid', 'campaign'] as const

export type Channel = (typeof channels)[number]
