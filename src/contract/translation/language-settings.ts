import { z } from 'zod'

/** @returns whether a text is a language tag (BCP 47) */
export function isLanguageTag(text: string): boolean {
  try {
    return new Intl.Locale(text).language !== ''
  } catch {
    return false
  }
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Every two-letter language has a name; three-letter ones are too many for any table. Longer ones are valid, but none
 * exists: `deutsch` is not `de`.
 * @param tag a language tag
 */
export function languageProblem(tag: string): string | null {
  const language = bareLanguage(tag)
  const known = language.length === 2 ? englishNames.of(language) !== undefined : language.length === 3
  return known ? null : `there is no language "${language}"`
}

/** Normalizes the case of a tag, so that each language has a single one: `de-de` is `de-DE`. */
export const languageTag = z
  .string()
  .max(35)
  .refine(isLanguageTag, 'must be a language tag like en-US')
  .transform((tag) => new Intl.Locale(tag).toString())

/** Path prefix of a language: `/de/`. */
const languageSlug = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/, 'must be like de or pt-br')
  .optional()
  .describe('path prefix of this language; default: the first part of its tag')

/** One language besides the shop's own. */
export const languageSetting = z.strictObject({
  tag: languageTag,
  slug: languageSlug,
  name: z.string().trim().min(1).max(60).optional().describe('name in the switcher; default: the language’s own name'),
  published: z.boolean().default(true).describe('false: only translators see it'),
  priceFormat: z
    .strictObject({
      position: z.enum(['left', 'right', 'left_space', 'right_space']),
      decimals: z.number().int().min(0).max(4),
      decimalSeparator: z.string().max(4),
      thousandSeparator: z.string().max(4),
    })
    .partial()
    .optional()
    .describe('price format; default: that of the language'),
})

export const languagesSetting = z
  .array(languageSetting)
  .max(40)
  .default([])
  .refine(
    // An invalid tag has its own error, and no prefix.
    (all) => !all.every(({ tag }) => isLanguageTag(tag)) || new Set(all.map(slugOf)).size === all.length,
    'must each have a path prefix of their own',
  )

export type LanguageSetting = z.infer<typeof languageSetting>

/** @returns the path prefix of a language */
export function slugOf({ tag, slug }: Pick<LanguageSetting, 'tag' | 'slug'>): string {
  return slug ?? bareLanguage(tag)
}

const bare = new Map<string, string>()

/** @returns a language without its country: de of de-AT. @param tag a language tag */
export function bareLanguage(tag: string): string {
  const known = bare.get(tag) ?? new Intl.Locale(tag).language
  bare.set(tag, known)
  return known
}

const engines = ['off', 'deepl', 'google', 'libretranslate'] as const

/** How untranslated texts are found, shown and translated. */
export const translationSettings = z.object({
  dynamic: z.boolean().default(true).describe('translates texts that scripts insert later'),
  showBeforeTranslation: z
    .boolean()
    .default(true)
    .describe('shows a later text untranslated until its translation arrives'),
  numerals: z.boolean().default(false).describe('translates texts that contain only digits'),
  duplicateDetections: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(100)
    .describe('maximum number of times that one text is processed'),
  skipSelectors: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe('elements that are never translated'),
  noMachineSelectors: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe('elements that are never sent to an engine'),
  skipTexts: z.array(z.string().min(1).max(500)).max(1000).default([]).describe('texts that are never translated'),
  switcher: z
    .object({
      header: z.boolean().default(true).describe('in the page header'),
      footer: z.boolean().default(true).describe('as a list in the page footer'),
      floating: z.enum(['none', 'bottom-right', 'bottom-left', 'top-right', 'top-left']).default('none'),
      flags: z.boolean().default(false),
      names: z
        .enum(['full', 'short', 'none'])
        .default('full')
        .describe('none: only flags, with names for screen readers'),
      suggest: z.boolean().default(true).describe('shows a bar that offers the browser’s preferred language'),
    })
    .prefault({}),
  machine: z
    .object({
      engine: z.enum(engines).default('off'),
      paused: z.boolean().default(false).describe('suspends the engine; waiting texts stay in the queue'),
      address: z
        .union([z.literal(''), z.url({ protocol: /^https?$/ })], 'must be a URL like https://translate.example')
        .default('')
        .describe('URL of a LibreTranslate server, or a replacement for the engine’s default'),
      key: z.string().max(500).default('').describe('API key; better in the variable TRANSLATION_KEY'),
      formality: z
        .enum(['usual', 'more', 'less'])
        .default('usual')
        .describe('form of address, if the engine (DeepL) and the language support it'),
      similar: z
        .boolean()
        .default(false)
        .describe('a long text reuses a person’s translation of a nearly identical one'),
      charactersPerDay: z.number().int().min(0).default(1_000_000),
      glossary: z
        .array(z.strictObject({ term: z.string().min(1).max(200), in: z.record(languageTag, z.string().max(200)) }))
        .max(1000)
        .default([])
        .describe('terms with a fixed translation; an empty record: never translated'),
    })
    .prefault({}),
})

export type TranslationSettings = z.infer<typeof translationSettings>
