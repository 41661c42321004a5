import { z } from 'zod'

// What the engines answer, as far as it is read, and what the shop remembers of them.

export const deeplAnswer = z.object({ translations: z.array(z.object({ text: z.string() })) })

export const googleAnswer = z.object({
  data: z.object({ translations: z.array(z.object({ translatedText: z.string() })) }),
})

export const googleRefusal = z.object({
  error: z.object({
    message: z.string().default(''),
    errors: z.array(z.object({ reason: z.string().default('') })).default([]),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
})

export const libreTranslateAnswer = z.object({ translatedText: z.union([z.string(), z.array(z.string())]) })

export const libreTranslateRefusal = z.object({ error: z.string() })

export const libreTranslateLanguages = z
  .array(z.object({ code: z.string().min(1).max(35), targets: z.array(z.string()).optional() }))
  .max(1000)

/** What a server says of itself; below nought: no limit. */
export const libreTranslateSettings = z.object({ charLimit: z.number().int().default(-1) })

/** How calls of an engine have gone lately: it outlives processes, and all of them go by it. */
export const machineState = z.object({
  engine: z.string().default(''),
  /** Calls that failed one after the other. */
  failures: z.number().int().default(0),
  /** No call before this moment. */
  notBefore: z.coerce.date().nullable().default(null),
  /** The day, as the shop counts days, on which the account's own limit was reached. */
  exhaustedOn: z.string().nullable().default(null),
  /** Why the last call failed, in words of our own. */
  fault: z.string().max(200).default(''),
  lastCallAt: z.coerce.date().nullable().default(null),
  /** Pairs that the engine turned down, like `en>ga-IE`, and on which day: servers learn languages. */
  unspoken: z.array(z.string().max(80)).max(100).default([]),
  unspokenOn: z.string().default(''),
})

export type MachineState = z.infer<typeof machineState>
