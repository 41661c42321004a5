import { fillIn, pluralForm } from '#domain/translation/message.ts'

/** The kinds of parts of addresses: `base` is the part that the shop itself gives, like `product`. */
export type SlugKind = 'product' | 'category' | 'tag' | 'page' | 'base'

/** What a language says for the words of the shop's own pages. */
export type InterfaceWords = {
  /** @returns undefined where nothing is known */
  one(original: string): string | undefined
  /** The forms of a plural, by the original that stands for many. */
  forms(original: string): Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> | undefined
}

/** What is known of a text in a language. */
export type CachedTranslation = {
  /** Of the original. */
  readonly id: number
  /** '' where it is not translated. */
  readonly translated: string
  /** 0 not translated, 1 by a machine, 2 by a person, 3 filled in from a near-identical original. */
  readonly status: 0 | 1 | 2 | 3
}

/**
 * One language, ready to be spoken: the words of the interface are at hand, what the merchant wrote is looked up, many at a
 * time. Nothing is ever asked of a machine here: what is not known stays as it is written.
 */
export type Translator = {
  /** BCP 47. */
  readonly language: string
  /** Whether the merchant writes in it, so that content stays as it is. */
  readonly isOwn: boolean
  /** The language in which the merchant writes. */
  readonly sourceLanguage: string
  /** Translates an English original of the interface, and fills its `%s` and `%1$s`. */
  t(original: string, ...values: readonly (string | number)[]): string
  /** The same for a count, which is the first value. `one` and `many` are the English forms; `many` is what it is known by. */
  n(count: number, one: string, many: string, ...values: readonly (string | number)[]): string
  /** Plain texts that the merchant wrote, in the order given. */
  texts(originals: readonly string[]): Promise<readonly string[]>
  /** Markup that the merchant wrote: each text in it, and its titles and alternative texts, in the order given. */
  markup(originals: readonly string[]): Promise<readonly string[]>
  /** The same for one that was looked up before; undefined: it must be asked for. Left out: all must. */
  readonly remembered?: {
    text(original: string): string | undefined
    markup(original: string): string | undefined
  }
  /**
   * What is known of texts whose origin is not: those of the merchant first, then those of the interface. Null: never met.
   * Nothing is kept of what was asked.
   */
  known(originals: readonly string[]): Promise<readonly (CachedTranslation | null)[]>
  /** The part of an address in this language; as it is where there is none. */
  slug(kind: SlugKind, slug: string): string
  /** The shop's own slug behind one of this language; undefined when it is none of them. */
  slugFrom(kind: SlugKind, translated: string): string | undefined
}

/** Speaks for a language with the words of its interface; everything else stays as the merchant wrote it. */
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

/** `t` and `n` of a language. */
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

/** A count as the language writes it, in the figures that prices have. Only from a thousand on do languages differ. */
function countText(language: string, count: number): string {
  if (count < 1_000) return String(count)
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  formats.set(language, format)
  return format.format(count)
}
