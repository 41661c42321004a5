import { z } from 'zod'

/** A page's origin as browsers send it: scheme, host and port. */
const origin = z
  .string()
  .trim()
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, 'must be an origin like https://app.example')

/** Access of other programs to the Store API. */
export const storeApiSettings = z.object({
  origins: z
    .array(origin)
    .max(100)
    .default([])
    .describe('origins of other sites whose pages may use the Store API, like https://app.example'),
  rateLimit: z
    .object({
      enabled: z.boolean().default(false),
      requests: z.number().int().min(1).max(10_000).default(25),
      seconds: z.number().int().min(1).max(3600).default(10),
    })
    .prefault({})
    .describe('limit of Store API requests per customer, or per network of guests'),
})
