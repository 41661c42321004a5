import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'

/** `GET wp/v2/users/{id}` */
export const restUserRecordInput = z.object({ id })

/** `POST wp/v2/users/{id}`: the members that a shop supports. Others are ignored. */
export const restUserInput = z.object({
  id,
  woocommerce_meta: z.object({ coming_soon_banner_dismissed: z.enum(['yes', 'no']).optional() }).optional(),
})

/** The user's own record. */
export const restUserAnswer = z.object({
  id: z.number(),
  name: z.string(),
  slug: z.string(),
  woocommerce_meta: z.object({ coming_soon_banner_dismissed: z.enum(['yes', 'no']) }),
})
