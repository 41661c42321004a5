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
 * Localizes facts. In the merchant's own language, and where all texts are cached, `make` runs once. Otherwise its first
 * run has collected the texts, which are then read together, and a second run uses these translations alone: cached and
 * newer ones are not mixed.
 * @param make has no side effects: it may run several times
 */
export async function localizeFacts<Facts>(
  { translator: theirs }: { readonly translator: () => Promise<Translator> },
  make: (say: Say) => Facts,
): Promise<Facts> {
  const translator = await theirs()
  const { t, remembered } = translator
  if (translator.isOwn) return make({ text: (original) => original, markup: (original) => original, t })
  let isWhole = true
  const collecting = (originals: Set<string>, recall: Recall) => (original: string) => {
    originals.add(original)
    const said = recall(original)
    if (said === undefined) isWhole = false
    return said ?? original
  }
  const texts = new Set<string>()
  const markup = new Set<string>()
  const facts = make({
    text: collecting(texts, remembered?.text ?? untranslatableText),
    markup: collecting(markup, remembered?.markup ?? emptyMarkup),
    t,
  })
  if (isWhole) return facts
  const [saidTexts, saidMarkup] = await Promise.all([
    translationsOf([...texts].filter(isTranslatable), translator.texts),
    translationsOf([...markup].filter(Boolean), translator.markup),
  ])
  return make({
    text: (original) => saidTexts.get(original) ?? original,
    markup: (original) => saidMarkup.get(original) ?? original,
    t,
  })
}

/** Returns the cached translation; undefined: it must be asked for. */
type Recall = (original: string) => string | undefined

const untranslatableText: Recall = (original) => (isTranslatable(original) ? undefined : original)
const emptyMarkup: Recall = (original) => (original === '' ? '' : undefined)

async function translationsOf(
  originals: readonly string[],
  ask: (originals: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, string>> {
  if (originals.length === 0) return new Map()
  const said = await ask(originals)
  return new Map(originals.map((original, at) => [original, said[at] ?? original]))
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
