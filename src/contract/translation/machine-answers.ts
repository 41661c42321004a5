import { z } from 'zod'

// The parsed parts of the engines' responses, and the stored state of each engine.

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

/** A server's own limits; negative: no limit. */
export const libreTranslateSettings = z.object({ charLimit: z.number().int().default(-1) })

/** State of an engine's calls: shared by all processes, and kept across restarts. */
export const machineState = z.object({
  engine: z.string().default(''),
  /** Number of consecutive failed calls. */
  failures: z.number().int().default(0),
  /** No call before this time. */
  notBefore: z.coerce.date().nullable().default(null),
  /** The day, in the shop's time zone, on which the account's quota was used up. */
  exhaustedOn: z.string().nullable().default(null),
  /** The reason for the last failure, in the shop's own wording. */
  fault: z.string().max(200).default(''),
  lastCallAt: z.coerce.date().nullable().default(null),
  /** Language pairs that the engine refused, like `en>ga-IE`, with the day: servers add languages. */
  unspoken: z.array(z.string().max(80)).max(100).default([]),
  unspokenOn: z.string().default(''),
})

export type MachineState = z.infer<typeof machineState>
