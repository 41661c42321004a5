import { isTranslatable } from '#domain/translation/markup.ts'
import type { Translator } from './translator.ts'

/** How what the merchant wrote is said in the language that is spoken. */
export type Say = {
  /** A plain text. */
  text(original: string): string
  /** Markup: its texts, titles and alternative texts. */
  markup(original: string): string
  /** Words of the shop itself, English in the code. */
  t: Translator['t']
}

/**
 * Makes facts in the language that is spoken. In the merchant's own they are made once, as they are written, and so they are where
 * all that they say was said before; else a first time to see which texts there are, so that all of them are asked for
 * together, and once more with the answers.
 * @param make has no effects: it may run several times
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
    answers(texts, (originals) => translator.texts(originals)),
    answers(markup, (originals) => translator.markup(originals)),
  ])
  return make({
    text: (original) => saidTexts.get(original) ?? original,
    markup: (original) => saidMarkup.get(original) ?? original,
    t,
  })
}

/** Null where something of it is not remembered. */
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

async function answers(
  originals: ReadonlySet<string>,
  ask: (originals: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, string>> {
  if (originals.size === 0) return new Map()
  const list = [...originals]
  const said = await ask(list)
  return new Map(list.map((original, at) => [original, said[at] ?? original]))
}

/** The language that is spoken, as orders and customers keep it: '' for the shop's own. */
export async function currentLanguage({
  translator,
}: {
  readonly translator: () => Promise<Translator>
}): Promise<string> {
  const { isOwn, language } = await translator()
  return isOwn ? '' : language
}
