import { z } from 'zod'

/** Error response of PayPal. Match on `issue` only: the texts are for people. */
export const errorBody = z.object({
  name: z.string().optional(),
  message: z.string().optional(),
  debug_id: z.string().optional(),
  details: z
    .array(
      z.object({
        issue: z.string(),
        field: z.string().optional(),
        description: z.string().optional(),
      }),
    )
    .optional(),
  /** The token endpoint, and some responses to an invalid token, use these two instead. */
  error: z.string().optional(),
  error_description: z.string().optional(),
})

export type ErrorBody = z.infer<typeof errorBody>
export type ErrorDetail = NonNullable<ErrorBody['details']>[number]
