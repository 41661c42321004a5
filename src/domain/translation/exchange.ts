/** Plural categories (CLDR), in the order of the files. */
export const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

export type PluralForms = Readonly<Partial<Record<(typeof pluralForms)[number], string>>>

/** An original with its translation in a file for translators. */
export type ExchangeUnit = {
  /** Null: not in the file; all areas are searched. */
  readonly area: 'interface' | 'content' | 'slug' | null
  /** The kind of a slug. */
  readonly context: string
  /** True if the original is markup. */
  readonly markup: boolean
  readonly original: string
  /** For a count a text for each category; '' if untranslated. */
  readonly translated: string | PluralForms
  /** 0 not translated, 1 by a machine, 2 by a person, 3 filled in from a near-identical original. */
  readonly status: 0 | 1 | 2 | 3
}

export type ExchangeFile = {
  /** The language of the translations; '' if the file does not name it. */
  readonly language: string
  /** The language of the originals. */
  readonly source: string
  readonly units: readonly ExchangeUnit[]
}

/** The units of a file, each with its first line, or the first error. */
export type ReadExchange =
  | {
      readonly ok: true
      readonly language: string
      readonly units: readonly (ExchangeUnit & { readonly line: number })[]
    }
  | { readonly ok: false; readonly line: number; readonly problem: string }

/** Returns the plural categories of whole numbers in a language. */
export function formsOf(language: string): readonly (typeof pluralForms)[number][] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralForms.filter((form) => pluralCategories.includes(form))
}

export function isTranslated(translated: ExchangeUnit['translated']): boolean {
  return typeof translated === 'string' ? translated !== '' : Object.values(translated).some((text) => text !== '')
}

/** Thrown by parsers of files; `parseResult` converts it to a result. */
export class FileFault extends Error {
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/** Runs a reader of files. */
export function runReader(read: () => Omit<ReadExchange & { ok: true }, 'ok'>): ReadExchange {
  try {
    return { ok: true, ...read() }
  } catch (error) {
    if (error instanceof FileFault) return { ok: false, line: error.line, problem: error.message }
    throw error
  }
}
