import { z } from 'zod'

/** What is said on every page until the visitor has dismissed it. */
export const storeNoticeSettings = z.object({
  enabled: z.boolean().default(false),
  text: z.string().trim().max(500).default(''),
})
