import { z } from 'zod'
import { languageTag } from './language-settings.ts'

/** The editor's calls, at the platform's own endpoint. Lists are sent as JSON in a field, as usual there. */

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
  /** For a single text: includes earlier translations in this language. */
  history: languageTag.optional(),
})

export const saveTranslationsInput = z.object({
  security: z.string(),
  id,
  language: languageTag,
  /** The new translation by plural category, with the revision that was read of each. */
  forms: json(
    z
      .partialRecord(form, z.object({ translated: z.string(), revision: z.number().int().min(0) }))
      .refine((forms) => Object.keys(forms).length > 0, 'must contain a translation'),
  ),
  /** 0: untranslated; 1: needs review; 2: reviewed. */
  status: z.coerce.number().pipe(z.union([z.literal(0), z.literal(1), z.literal(2)])),
})

export const undoTranslationInput = z.object({
  security: z.string(),
  id,
  language: languageTag,
  form: form.default(''),
  revision: z.coerce.number().int().min(0),
  /** The revision to restore; default: the previous one. */
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
  /** For a count: the plural categories of each language; null: a single form. */
  plural: z.boolean(),
  path: z.string(),
  /** Language → plural category → translation. */
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

/** Both contain the current text: after a refusal it has another person's version. */
export const saveAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: editedText, progress: z.number() }),
  z.object({ ok: z.literal(false), reason: z.enum(refusals), text: editedText.nullable() }),
])
export type SaveAnswer = z.infer<typeof saveAnswer>

export const suggestAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string(), engine: z.string() }),
  z.object({ ok: z.literal(false), reason: z.enum(['off', 'limit', 'failed', 'unknown-original']) }),
])
