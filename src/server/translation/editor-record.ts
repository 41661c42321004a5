import type { Original } from '#database/translation/translations.ts'
import { segmentsOf } from '#domain/translation/markup.ts'
import { pluralForm } from '#domain/translation/message.ts'
import { normalise } from '#domain/translation/normalise.ts'
import type { Translator } from '#shop/translation/translator.ts'

/** A translation made for a page, with its original. */
export type Said = {
  readonly original: Original
  readonly values: readonly (string | number)[]
  readonly form: string
}

export type TranslationRecord = {
  readonly texts: Map<string, Said>
  readonly markup: Map<string, Said>
}

export const emptyRecord = (): TranslationRecord => ({ texts: new Map(), markup: new Map() })

/** A translator that notes all that it says. What is said twice is what was said first. */
export function recordingTranslator(translator: Translator, record: TranslationRecord): Translator {
  const note = (shown: string, said: Said) => {
    const known = said.original.markup ? record.markup : record.texts
    const key = normalise(shown)
    if (key !== '' && !known.has(key)) known.set(key, said)
  }
  const content = (shown: string | undefined, text: string, markup: boolean) => {
    if (shown !== undefined) note(shown, { original: { area: 'content', text, markup }, values: [], form: '' })
  }
  // Cached translations would bypass the recording.
  const { remembered: _, ...asked } = translator
  return {
    ...asked,
    t(original, ...values) {
      const shown = translator.t(original, ...values)
      note(shown, { original: { area: 'interface', text: original }, values, form: '' })
      return shown
    },
    n(count, one, many, ...values) {
      const shown = translator.n(count, one, many, ...values)
      const form = pluralForm(translator.language, count)
      note(shown, { original: { area: 'interface', text: many }, values: [count, ...values], form })
      return shown
    },
    async texts(originals) {
      const shown = await translator.texts(originals)
      for (const [index, text] of originals.entries()) content(shown[index], text, false)
      return shown
    },
    async markup(originals) {
      const shown = await translator.markup(originals)
      for (const [index, html] of originals.entries()) {
        const before = segmentsOf(html)
        const after = segmentsOf(shown[index] ?? '')
        // A translation with different segments cannot be mapped; it is found by its text.
        if (before.length !== after.length) continue
        for (const [place, { text, markup }] of before.entries()) content(after[place]?.text, text, markup)
      }
      return shown
    },
  }
}
