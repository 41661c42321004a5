import { z } from 'zod'

/** Error response of a payment route, usually with status 400. */
export const paymentError = z.object({
  code: z.string(),
  message: z.string().optional(),
  data: z
    .object({
      status: z.number().optional(),
      /** With code `validation_errors`: the notices as markup, for the checkout form. */
      messages: z.string().optional(),
      errors: z.array(z.string()).optional(),
    })
    .optional(),
})

export type PaymentError = z.infer<typeof paymentError>
