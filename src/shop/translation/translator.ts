import { fillIn, pluralForm } from '#domain/translation/message.ts'

/** The kinds of path parts: `base` is the shop's own part, like `product`. */
export type SlugKind = 'product' | 'category' | 'tag' | 'page' | 'base'

/** The translations of the interface texts in a language. */
export type InterfaceWords = {
  /** @returns undefined without a translation */
  one(original: string): string | undefined
  /** Returns plural forms by their original plural form. */
  forms(original: string): Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> | undefined
}

/** A cached translation of a text in a language. */
export type CachedTranslation = {
  /** The id of the original. */
  readonly id: number
  /** '' if untranslated. */
  readonly translated: string
  /** 0 not translated, 1 by a machine, 2 by a person, 3 filled in from a near-identical original. */
  readonly status: 0 | 1 | 2 | 3
}

/**
 * The translations of one language: interface texts in memory, the merchant's texts in batches. It never calls a
 * translation engine: unknown texts stay unchanged.
 */
export type Translator = {
  /** BCP 47. */
  readonly language: string
  /** True if it is the merchant's language, so that content stays unchanged. */
  readonly isOwn: boolean
  /** The merchant's language. */
  readonly sourceLanguage: string
  /** Translates an English original of the interface, and fills its `%s` and `%1$s`. */
  t(original: string, ...values: readonly (string | number)[]): string
  /** The same for a count, which is the first value. `one` and `many` are the English forms; `many` is the key. */
  n(count: number, one: string, many: string, ...values: readonly (string | number)[]): string
  /** Translates plain texts of the merchant, in the given order. */
  texts(originals: readonly string[]): Promise<readonly string[]>
  /** Translates markup of the merchant: its texts, titles and alternative texts, in the given order. */
  markup(originals: readonly string[]): Promise<readonly string[]>
  /** Returns cached translations; undefined for an uncached one. Missing without a cache. */
  readonly remembered?: {
    text(original: string): string | undefined
    markup(original: string): string | undefined
  }
  /**
   * Looks up texts of unknown origin: first the merchant's, then the interface's. Null: unknown. The texts are not
   * recorded.
   */
  known(originals: readonly string[]): Promise<readonly (CachedTranslation | null)[]>
  /** Returns a slug in this language; unchanged without a translation. */
  slug(kind: SlugKind, slug: string): string
  /** Returns the shop's own slug of one in this language; undefined without a match. */
  slugFrom(kind: SlugKind, translated: string): string | undefined
}

/** Returns a translator with interface words only; content stays as the merchant wrote it. */
export function interfaceTranslator(language: string, words?: InterfaceWords): Translator {
  return {
    language,
    isOwn: true,
    sourceLanguage: language,
    ...wordsIn(language, words),
    texts: async (originals) => originals,
    markup: async (originals) => originals,
    known: async (originals) => originals.map(() => null),
    slug: (_, slug) => slug,
    slugFrom: () => undefined,
  }
}

/** Returns `t` and `n` of a language. */
export function wordsIn(language: string, words?: InterfaceWords): Pick<Translator, 't' | 'n'> {
  return {
    t: (original, ...values) => fillIn(words?.one(original) ?? original, values),
    n: (count, one, many, ...values) => {
      const forms = words?.forms(many)
      const said = forms?.[pluralForm(language, count)] ?? forms?.other
      const text = said ?? (count === 1 ? (words?.one(one) ?? one) : (words?.one(many) ?? many))
      return fillIn(text, [countText(language, count), ...values])
    },
  }
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats a count in the language, in the digits of prices. Languages differ only from a thousand on. */
function countText(language: string, count: number): string {
  if (count < 1_000) return String(count)
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  formats.set(language, format)
  return format.format(count)
}
