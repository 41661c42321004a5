import { z } from 'zod'
import { translateLimits } from './translate.ts'

const texts = z
  .array(z.string().max(translateLimits.characters, `a text has at most ${translateLimits.characters} characters`))
  .max(translateLimits.texts, `at most ${translateLimits.texts} texts are asked for at once`)

/** A list, or its JSON as in forms. */
const listOfTexts = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return value.trim() === '' ? [] : JSON.parse(value)
  } catch {
    return value
  }
}, texts)

const short = z.string().max(100).default('').catch('')

/**
 * Both endpoints of the translator accept the same fields. An unknown language is not rejected here: the response is
 * `error`.
 */
export const getTranslationsInput = z.object({
  action: short,
  all_languages: short,
  security: short,
  language: short,
  original_language: short,
  originals: listOfTexts,
  skip_machine_translation: listOfTexts.default([]),
  dynamic_strings: short,
  translate_numerals_opt: short,
})

/** Makes the script use its other endpoint: the language is unknown, or the database does not answer. */
export const getTranslationsFailure = z.literal('error')

/** A translation on the wire: `TranslationEntry`. Languages are named like `de_DE`. */
const entry = z.object({
  type: z.literal('regular'),
  group: z.string(),
  original: z.string(),
  dbID: z.number().int().optional(),
  translationsArray: z.record(
    z.string(),
    z.object({ translated: z.string(), status: z.number().int(), editedTranslation: z.string() }),
  ),
})

/** The known texts of a request. */
export const getTranslationsAnswer = z.union([z.array(entry), getTranslationsFailure])

export type GetTranslationsInput = z.output<typeof getTranslationsInput>
