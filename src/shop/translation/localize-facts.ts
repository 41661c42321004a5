import { isTranslatable } from '#domain/translation/markup.ts'
import type { Translator } from './translator.ts'

/** Localizes the merchant's texts in the current language. */
export type Say = {
  /** A plain text. */
  text(original: string): string
  /** Markup: its texts, titles and alternative texts. */
  markup(original: string): string
  /** Interface texts of the shop, English in the code. */
  t: Translator['t']
}

/**
 * Localizes facts. In the merchant's own language, and with a complete cache, `make` runs once. Otherwise its first run
 * collects the texts, which are then read together, and a second run uses the translations.
 * @param make has no side effects: it may run several times
 */
export async function localizeFacts<Facts>(
  { translator: theirs }: { readonly translator: () => Promise<Translator> },
  make: (say: Say) => Facts,
): Promise<Facts> {
  const translator = await theirs()
  const { t } = translator
  if (translator.isOwn) return make({ text: (original) => original, markup: (original) => original, t })
  const fromMemory = translator.remembered && madeFromMemory(translator.remembered, t, make)
  if (fromMemory) return fromMemory.facts
  const texts = new Set<string>()
  const markup = new Set<string>()
  const facts = make({
    text: (original) => {
      if (isTranslatable(original)) texts.add(original)
      return original
    },
    markup: (original) => {
      if (original !== '') markup.add(original)
      return original
    },
    t,
  })
  if (texts.size === 0 && markup.size === 0) return facts
  const [saidTexts, saidMarkup] = await Promise.all([
    translationsOf(texts, (originals) => translator.texts(originals)),
    translationsOf(markup, (originals) => translator.markup(originals)),
  ])
  return make({
    text: (original) => saidTexts.get(original) ?? original,
    markup: (original) => saidMarkup.get(original) ?? original,
    t,
  })
}

/** Returns null if a text is not cached. */
function madeFromMemory<Facts>(
  remembered: NonNullable<Translator['remembered']>,
  t: Translator['t'],
  make: (say: Say) => Facts,
): { facts: Facts } | null {
  let isWhole = true
  const recalled = (original: string, said: string | undefined) => {
    if (said === undefined) isWhole = false
    return said ?? original
  }
  const facts = make({
    text: (original) => recalled(original, remembered.text(original)),
    markup: (original) => recalled(original, remembered.markup(original)),
    t,
  })
  return isWhole ? { facts } : null
}

async function translationsOf(
  originals: ReadonlySet<string>,
  ask: (originals: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, string>> {
  if (originals.size === 0) return new Map()
  const list = [...originals]
  const said = await ask(list)
  return new Map(list.map((original, at) => [original, said[at] ?? original]))
}

/** Returns the current language as orders and customers store it: '' for the shop's own. */
export async function currentLanguage({
  translator,
}: {
  readonly translator: () => Promise<Translator>
}): Promise<string> {
  const { isOwn, language } = await translator()
  return isOwn ? '' : language
}
