import { z } from 'zod'

/** `stats/online`: a page is still visible. The visitor is identified as for hits; no data is sent. */
export const statsOnlineInput = z.object({})

export type StatsOnlineAnswer = { readonly status: boolean; readonly message: string }
