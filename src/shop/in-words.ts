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
 * Makes facts in the language that is spoken. In the merchant's own they are made once, as they are written; else a first
 * time to see which texts there are, so that all of them are asked for together, and once more with the answers.
 * @param make has no effects: it may run twice
 */
export async function inWords<Facts>(
  { translator: theirs }: { readonly translator: () => Promise<Translator> },
  make: (say: Say) => Facts,
): Promise<Facts> {
  const translator = await theirs()
  const { t } = translator
  if (translator.isOwn) return make({ text: (original) => original, markup: (original) => original, t })
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
export async function spokenLanguage({
  translator,
}: {
  readonly translator: () => Promise<Translator>
}): Promise<string> {
  const { isOwn, language } = await translator()
  return isOwn ? '' : language
}
