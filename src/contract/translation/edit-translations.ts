import { z } from 'zod'
import { languageTag } from './language-settings.ts'

/** The calls of the editor, on the platform's own door. Lists travel as JSON in a field, as its calls usually have them. */

const json = <Inner extends z.ZodType>(inner: Inner) =>
  z
    .string()
    .max(200_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(inner)

const id = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
export const pluralForms = ['', 'zero', 'one', 'two', 'few', 'many', 'other'] as const
const form = z.enum(pluralForms)

export const editTextsInput = z.object({
  security: z.string(),
  ids: json(z.array(id).min(1).max(2000)),
  /** Of a single text: what was said before in this language comes as well. */
  history: languageTag.optional(),
})

export const saveTranslationsInput = z.object({
  security: z.string(),
  id,
  language: languageTag,
  /** What is to be said, by the category of plurals, and the revision that was seen of each. */
  forms: json(
    z
      .partialRecord(form, z.object({ translated: z.string(), revision: z.number().int().min(0) }))
      .refine((forms) => Object.keys(forms).length > 0, 'must say something'),
  ),
  /** 0: not translated any more; 1: still to be looked at; 2: reviewed. */
  status: z.coerce.number().pipe(z.union([z.literal(0), z.literal(1), z.literal(2)])),
})

export const undoTranslationInput = z.object({
  security: z.string(),
  id,
  language: languageTag,
  form: form.default(''),
  revision: z.coerce.number().int().min(0),
  /** The revision to go back to; left out: the one before. */
  to: z.coerce.number().int().min(0).optional(),
})

export const suggestTranslationInput = z.object({ security: z.string(), id, language: languageTag })

const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])

const saidForm = z.object({ translated: z.string(), status, revision: z.number(), engine: z.string() })

export const editedText = z.object({
  id: z.number(),
  area: z.enum(['interface', 'content', 'slug']),
  context: z.string(),
  original: z.string(),
  markup: z.boolean(),
  /** Of a count: the categories of plurals that each language has; null: the text is one. */
  plural: z.boolean(),
  path: z.string(),
  /** Language → category of plurals → what is said. */
  said: z.record(z.string(), z.partialRecord(form, saidForm)),
})
export type EditedText = z.infer<typeof editedText>

export const formerText = z.object({
  form,
  revision: z.number(),
  translated: z.string(),
  status,
  engine: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  by: z.string(),
})
export type FormerText = z.infer<typeof formerText>

export const editTextsAnswer = z.object({
  texts: z.array(editedText),
  history: z.array(formerText).optional(),
})

const refusals = [
  'stale',
  'too-long',
  'places',
  'reviewed',
  'slug',
  'taken',
  'reserved',
  'unknown-original',
  'unknown-language',
] as const
export type SaveRefusal = (typeof refusals)[number]

/** Both hold the text as it is now: after a refusal it shows what somebody else has saved. */
export const saveAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: editedText, progress: z.number() }),
  z.object({ ok: z.literal(false), reason: z.enum(refusals), text: editedText.nullable() }),
])
export type SaveAnswer = z.infer<typeof saveAnswer>

export const suggestAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string(), engine: z.string() }),
  z.object({ ok: z.literal(false), reason: z.enum(['off', 'limit', 'failed', 'unknown-original']) }),
])
