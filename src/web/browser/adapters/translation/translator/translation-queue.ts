import { type TranslationEntry, translateLimits } from '#contract/translation/translate.ts'
import type { FoundText } from './found-text.ts'
import { requestTimeoutMs } from './request-translations.ts'
import { type Answer, type TextLimits, textLimits } from './text-limits.ts'

type QueueParts = {
  /** Requested texts, and texts to be requested, with their places. */
  readonly waiting: Map<string, FoundText[]>
  /** How often a text is handled again in one place. */
  readonly allowed: number
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  readonly ask: (
    texts: readonly string[],
    skipMachine: readonly string[],
  ) => Promise<readonly TranslationEntry[] | null>
  /** @returns the entry's text in the page's language; '' if there is none */
  readonly said: (entry: TranslationEntry | undefined) => string
  /** Returns true if a text is still as it was found. */
  readonly isOurs: (found: FoundText) => boolean
  /** Restores a blank text. */
  readonly restore: (found: FoundText) => void
  readonly settle: (answered: readonly (readonly [FoundText, Answer])[]) => void
}

export type TextQueue = Pick<TextLimits, 'isTooOften' | 'count'> & {
  /** @returns the known translation of a text, or of another that differs only in its figures */
  answerTo(text: string, name: string): Answer | undefined
  /** Returns true while requests are suspended after repeated failures. */
  isAtPeace(): boolean
  /** Adds a waiting text. */
  add(text: string): void
  /** Returns the time at which a text may be requested: now, unless its template had no translation a moment ago. */
  dueAt(text: string): number
  /** Requests due texts, now or later. */
  plan(): void
}

const betweenRequestsMs = 50
/** After this many consecutive failures requests are suspended for a while. */
const failuresInARow = 3
const peaceMs = 30_000

/** Requests texts in batches and caches the responses. Loaded with the first text to request. */
export function createTranslationQueue(parts: QueueParts): TextQueue {
  const { waiting, now, later } = parts
  const limits = textLimits(parts.allowed, now)
  /** Cached for the lifetime of the page; a text without a translation has an empty entry. */
  const known = new Map<string, Answer>()
  /** The value tells whether a text has to wait for its template. */
  const toAsk = new Map([...waiting.keys()].map((text) => [text, false]))
  let plannedAt = Number.POSITIVE_INFINITY
  let lastAsked = Number.NEGATIVE_INFINITY
  let failures = 0
  let peaceUntil = 0

  const answerTo = (text: string, name: string) => known.get(text) ?? limits.answerTo(text, name)
  const dueAt = (text: string) => limits.dueAt(text, waiting.get(text) ?? [], toAsk.get(text) === true)

  function plan(): void {
    let at = Number.POSITIVE_INFINITY
    for (const text of toAsk.keys()) at = Math.min(at, dueAt(text))
    at = Math.max(at, lastAsked + betweenRequestsMs)
    // Without due texts there is no time; the earlier of two plans counts.
    if (at >= plannedAt) return
    plannedAt = at
    later(
      () => {
        if (plannedAt !== at) return
        plannedAt = Number.POSITIVE_INFINITY
        removeSettled()
        const texts = nextBatch()
        if (texts.length > 0) void ask(texts)
        plan()
      },
      Math.max(0, at - now()),
    )
  }

  /** Removes waiting texts that left the page, or were translated through another text. */
  function removeSettled(): void {
    for (const text of toAsk.keys()) {
      const [first, ...others] = waiting.get(text)?.filter(parts.isOurs) ?? []
      const answer = first && answerTo(text, first.name)
      if (first && !answer) continue
      if (first && answer) parts.settle([first, ...others].map((found) => [found, answer]))
      waiting.delete(text)
      toAsk.delete(text)
    }
  }

  /** Returns the due texts that fit into a request, in their encoded form. */
  function nextBatch(): string[] {
    let bytes = 4096
    const due = [...toAsk.keys()].filter((text) => dueAt(text) <= now())
    const end = due.findIndex((text, at) => {
      bytes += 2 * (encodeURIComponent(JSON.stringify(text)).length + 3)
      return at === translateLimits.texts || (at > 0 && bytes > translateLimits.bytes)
    })
    return due.slice(0, end < 0 ? due.length : end)
  }

  async function ask(texts: readonly string[]): Promise<void> {
    lastAsked = now()
    for (const text of texts) toAsk.delete(text)
    limits.ask(texts)
    later(() => {
      for (const text of texts) for (const found of waiting.get(text) ?? []) parts.restore(found)
    }, requestTimeoutMs)
    const skipMachine = texts.filter((text) => waiting.get(text)?.some(({ noMachine }) => noMachine))
    const entries = await parts.ask(texts, skipMachine)
    failures = entries ? 0 : failures + 1
    if (failures >= failuresInARow) peaceUntil = now() + peaceMs
    const byText = new Map<string, TranslationEntry>()
    for (const entry of entries ?? []) if (!byText.has(entry.original.trim())) byText.set(entry.original.trim(), entry)
    const answered: [FoundText, Answer][] = []
    for (const text of texts) {
      const entry = byText.get(text)
      const answer: Answer = { translated: parts.said(entry), ...(entry ? { entry } : {}) }
      if (entries) known.set(text, answer)
      for (const found of waiting.get(text) ?? []) answered.push([found, answer])
      waiting.delete(text)
    }
    limits.answer(texts, known)
    parts.settle(answered)
    plan()
  }

  return {
    ...limits,
    answerTo,
    dueAt,
    plan,
    isAtPeace: () => now() < peaceUntil,
    add: (text) => toAsk.set(text, limits.isAsked(text)),
  }
}
