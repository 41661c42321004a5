import { addressAttributes, type TranslationEntry } from '#contract/translation/translate.ts'
import type { FoundText } from './found-text.ts'
import { templateOf, withFigures } from './text-templates.ts'

/** The known translation of a text; empty if there is none. */
export type Answer = { readonly translated: string; readonly entry?: TranslationEntry }

/**
 * Limits the requests and changes that scripts can cause by changing a text repeatedly. Texts that differ only in their
 * figures share a template, which is requested once. Loaded with the first request.
 */
export type TextLimits = {
  /** Returns true if a script keeps restoring the text: its former node is gone. */
  isTooOften(found: Pick<FoundText, 'text' | 'place'>): boolean
  /** Counts a handled text. @param isKnown whether a translation exists */
  count(found: FoundText, isKnown: boolean): void
  /** Returns true if another text of the same template has been requested. */
  isAsked(text: string): boolean
  /** @returns the translation for this text, derived from another text of its template */
  answerTo(text: string, name: string): Answer | undefined
  /** Records requested texts, and their responses. */
  ask(texts: readonly string[]): void
  answer(texts: readonly string[], answers: ReadonlyMap<string, Answer>): void
  /**
   * Returns the time at which a text may be requested. @param held whether its template was requested before it was
   * found
   */
  dueAt(text: string, found: readonly FoundText[], held: boolean): number
}

/** The result of the first requested text of a template. */
type Template = { of: string; answer?: Answer; rest: Rest }
type Seen = { readonly count: number; readonly node: WeakRef<Node> }
type Rest = { ms: number; until: number }
type Place = { readonly texts: Map<string, Seen>; readonly rest: Rest; unknown?: WeakRef<Node> }

const firstTemplateRestMs = 5000
const firstPlaceRestMs = 1000
const longestRestMs = 300_000

/** @param allowed how often a text is handled again in one place */
export function textLimits(allowed: number, now: () => number): TextLimits {
  const templates = new Map<string, Template>()
  const places = new WeakMap<Node, Place>()

  function placeAt(node: Node): Place {
    const place = places.get(node) ?? { texts: new Map<string, Seen>(), rest: { ms: 0, until: 0 } }
    places.set(node, place)
    return place
  }
  function longer(rest: Rest, firstMs: number): void {
    rest.ms = Math.min(rest.ms * 2 || firstMs, longestRestMs)
    rest.until = now() + rest.ms
  }
  // An earlier node that is still on the page is no repetition: entries of a growing list may have equal texts.
  function replaces(before: WeakRef<Node> | undefined, node: Node): boolean {
    const last = before?.deref()
    return before !== undefined && (last === node || !last?.isConnected)
  }

  return {
    // The first time leaves the count at zero: a text is handled twice more than is allowed.
    isTooOften: ({ text, place }) => (places.get(place)?.texts.get(text)?.count ?? 0) > allowed,
    count({ text, node, place: at }, isKnown) {
      const place = placeAt(at)
      const seen = place.texts.get(text)
      const count = (seen?.count ?? 0) + (replaces(seen?.node, node) ? 1 : 0)
      place.texts.set(text, { count, node: new WeakRef(node) })
      if (isKnown) return
      if (replaces(place.unknown, node)) longer(place.rest, firstPlaceRestMs)
      place.unknown = new WeakRef(node)
    },
    isAsked: (text) => templates.has(templateOf(text)),
    answerTo(text, name) {
      const { of, answer } = templates.get(templateOf(text)) ?? {}
      if (!answer || of === undefined || addressAttributes.has(name)) return undefined
      const translated = withFigures(answer.translated, of, text)
      return translated === '' && !answer.entry ? undefined : { ...answer, translated }
    },
    ask(texts) {
      for (const text of texts) {
        const name = templateOf(text)
        if (!templates.has(name)) templates.set(name, { of: text, rest: { ms: 0, until: Number.POSITIVE_INFINITY } })
      }
    },
    answer(texts, answers) {
      const asked = new Set<Template>()
      for (const text of texts) {
        const template = templates.get(templateOf(text))
        if (!template) continue
        asked.add(template)
        const answer = answers.get(text)
        if (!answer?.entry || template.answer?.translated) continue
        template.of = text
        template.answer = answer
      }
      for (const { rest } of asked) longer(rest, firstTemplateRestMs)
    },
    dueAt(text, found, held) {
      const template = held ? (templates.get(templateOf(text))?.rest.until ?? 0) : 0
      let place = Number.POSITIVE_INFINITY
      for (const { place: at } of found) place = Math.min(place, places.get(at)?.rest.until ?? 0)
      return Math.max(template, place)
    },
  }
}
