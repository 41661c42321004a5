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

export type GetTranslationsInput = z.output<typeof getTranslationsInput>
