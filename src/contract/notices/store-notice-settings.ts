import { z } from 'zod'

/** The notice on every page until the visitor dismisses it. */
export const storeNoticeSettings = z.object({
  enabled: z.boolean().default(false),
  text: z.string().trim().max(500).default(''),
})
