import { z } from 'zod'
import { secondFactorWishes } from '#domain/customers/second-factor.ts'

/** The authentication that staff need, and the retention of their access log. */
export const staffSettings = z.object({
  secondFactor: z
    .enum(secondFactorWishes)
    .default('auto')
    .describe('second factor of staff; auto: required unless the shop is on http://localhost'),
  accessLogDays: z
    .number()
    .int()
    .min(30)
    .max(3650)
    .default(400)
    .describe('retention of the access log of personal data, in days'),
})
