/** Categories of plurals (CLDR), in the order in which files list them. */
export const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

export type PluralForms = Readonly<Partial<Record<(typeof pluralForms)[number], string>>>

/** An original and what a language says for it, as it stands in a file for translators. */
export type ExchangeUnit = {
  /** Null: the file does not say; it is looked for in all. */
  readonly area: 'interface' | 'content' | 'slug' | null
  /** Of a slug its kind. */
  readonly context: string
  /** Whether the original is markup. */
  readonly markup: boolean
  readonly original: string
  /** Of a count a text for each category; '' where it is not translated. */
  readonly translated: string | PluralForms
  /** 0 not translated, 1 by a machine, 2 by a person, 3 filled in from a near-identical original. */
  readonly status: 0 | 1 | 2 | 3
}

export type ExchangeFile = {
  /** The language of the translations; '' where a file does not say. */
  readonly language: string
  /** The language of the originals. */
  readonly source: string
  readonly units: readonly ExchangeUnit[]
}

/** What a file holds, each unit with the line on which it begins, or the first thing that is wrong with it. */
export type ReadExchange =
  | {
      readonly ok: true
      readonly language: string
      readonly units: readonly (ExchangeUnit & { readonly line: number })[]
    }
  | { readonly ok: false; readonly line: number; readonly problem: string }

/** The categories of plurals that whole numbers have in a language. */
export function formsOf(language: string): readonly (typeof pluralForms)[number][] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralForms.filter((form) => pluralCategories.includes(form))
}

export function isTranslated(translated: ExchangeUnit['translated']): boolean {
  return typeof translated === 'string' ? translated !== '' : Object.values(translated).some((text) => text !== '')
}

/** Thrown while a file is read; whoever reads it makes an answer of it. */
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
