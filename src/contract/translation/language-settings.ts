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
  .describe('begins the addresses of this language; left out: its first part')

/** One language besides the shop's own. */
export const languageSetting = z.strictObject({
  tag: languageTag,
  slug: languageSlug,
  name: z.string().trim().min(1).max(60).optional().describe('in the switcher; left out: as the language calls itself'),
  published: z.boolean().default(true).describe('false: only those who translate see it'),
  priceFormat: z
    .strictObject({
      position: z.enum(['left', 'right', 'left_space', 'right_space']),
      decimals: z.number().int().min(0).max(4),
      decimalSeparator: z.string().max(4),
      thousandSeparator: z.string().max(4),
    })
    .partial()
    .optional()
    .describe('how prices are written in it; left out: as is usual in the language'),
})

export const languagesSetting = z
  .array(languageSetting)
  .max(40)
  .default([])
  .refine(
    // An invalid tag has its own error, and no prefix.
    (all) => !all.every(({ tag }) => isLanguageTag(tag)) || new Set(all.map(slugOf)).size === all.length,
    'must each have an address of its own',
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
  dynamic: z.boolean().default(true).describe('whether texts that come after the page are translated as well'),
  showBeforeTranslation: z
    .boolean()
    .default(true)
    .describe('whether a text that comes later shows in its own language until its translation is there'),
  numerals: z.boolean().default(false).describe('whether texts of nothing but digits are translated'),
  duplicateDetections: z.number().int().min(0).max(100_000).default(100).describe('how often one text is looked at'),
  skipSelectors: z.array(z.string().min(1).max(300)).max(100).default([]).describe('elements that are left alone'),
  noMachineSelectors: z.array(z.string().min(1).max(300)).max(100).default([]).describe('never sent to a machine'),
  skipTexts: z.array(z.string().min(1).max(500)).max(1000).default([]).describe('texts that are left alone'),
  switcher: z
    .object({
      header: z.boolean().default(true).describe('in the head of the page'),
      footer: z.boolean().default(true).describe('as a list at its foot'),
      floating: z.enum(['none', 'bottom-right', 'bottom-left', 'top-right', 'top-left']).default('none'),
      flags: z.boolean().default(false),
      names: z
        .enum(['full', 'short', 'none'])
        .default('full')
        .describe('none: flags alone, with names for screen readers'),
      suggest: z.boolean().default(true).describe('whether a bar offers the language that the browser asks for'),
    })
    .prefault({}),
  machine: z
    .object({
      engine: z.enum(engines).default('off'),
      paused: z.boolean().default(false).describe('whether nothing is sent for now; what waits goes on waiting'),
      address: z
        .union([z.literal(''), z.url({ protocol: /^https?$/ })], 'must be an address like https://translate.example')
        .default('')
        .describe('of a LibreTranslate server, or in place of the usual one'),
      key: z.string().max(500).default('').describe('of the account; better in the variable TRANSLATION_KEY'),
      formality: z
        .enum(['usual', 'more', 'less'])
        .default('usual')
        .describe('how customers are addressed, where the engine (DeepL) and the language know a difference'),
      similar: z
        .boolean()
        .default(false)
        .describe('whether a long text takes over what a person said of one that is nearly the same'),
      charactersPerDay: z.number().int().min(0).default(1_000_000),
      glossary: z
        .array(z.strictObject({ term: z.string().min(1).max(200), in: z.record(languageTag, z.string().max(200)) }))
        .max(1000)
        .default([])
        .describe('terms that are always said so; an empty record: left as they are'),
    })
    .prefault({}),
})

export type TranslationSettings = z.infer<typeof translationSettings>
