import { z } from 'zod'

/** How asking the source of rates has gone lately: it outlives processes, and all of them go by it. */
export const ratesState = z.object({
  /** What was asked, for which currencies: another question begins anew. */
  question: z.string().max(2000).default(''),
  /** Askings that failed one after the other. */
  failures: z.number().int().min(0).default(0),
  /** Not asked before this moment. */
  notBefore: z.coerce.date().nullable().default(null),
  /** Why the last asking failed, in words of our own; '' after one that did not. */
  fault: z.string().max(300).default(''),
  askedAt: z.coerce.date().nullable().default(null),
  /** When rates came last. */
  cameAt: z.coerce.date().nullable().default(null),
})

export type RatesState = z.infer<typeof ratesState>
