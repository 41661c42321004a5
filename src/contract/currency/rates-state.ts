import { z } from 'zod'

/** State of the requests to the source of exchange rates: shared by all processes, and kept across restarts. */
export const ratesState = z.object({
  /** The requested source and currencies: a change resets the state. */
  question: z.string().max(2000).default(''),
  /** Number of consecutive failed requests. */
  failures: z.number().int().min(0).default(0),
  /** No request before this time. */
  notBefore: z.coerce.date().nullable().default(null),
  /** The reason for the last failure, in the shop's own wording; '' after a success. */
  fault: z.string().max(300).default(''),
  askedAt: z.coerce.date().nullable().default(null),
  /** The time of the last success. */
  cameAt: z.coerce.date().nullable().default(null),
})

export type RatesState = z.infer<typeof ratesState>
