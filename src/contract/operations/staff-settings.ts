import { z } from 'zod'
import { secondFactorWishes } from '#domain/customers/second-factor.ts'

/** The authentication that staff need, and the retention of their access log. */
export const staffSettings = z.object({
  secondFactor: z
    .enum(secondFactorWishes)
    .default('auto')
    .describe('whether staff need a code besides the password; auto: unless the shop is on http://localhost'),
  accessLogDays: z
    .number()
    .int()
    .min(30)
    .max(3650)
    .default(400)
    .describe('for how many days it is kept who has looked at whose data'),
})
