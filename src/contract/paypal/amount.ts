import { z } from 'zod'

/** Decimal string with currency, PayPal's form of money: at most 32 characters, never a number. */
export const amount = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z
    .string()
    .max(32)
    .regex(/^-?\d+(\.\d+)?$/),
})

export type Amount = z.infer<typeof amount>
