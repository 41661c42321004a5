import { z } from 'zod'

/** `stats/online`: a page is still looked at. Which visitor it is is known as for hits; nothing is sent. */
export const statsOnlineInput = z.object({})

export type StatsOnlineAnswer = { readonly status: boolean; readonly message: string }
