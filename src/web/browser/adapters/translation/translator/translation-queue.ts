import { type TranslationEntry, translateLimits } from '#contract/translation/translate.ts'
import type { FoundText } from './found-text.ts'
import { requestTimeoutMs } from './request-translations.ts'
import { type Answer, type TextLimits, textLimits } from './text-limits.ts'

type QueueParts = {
  /** Texts that are asked for, or will be, with the places where they stand. */
  readonly waiting: Map<string, FoundText[]>
  /** How often a text is handled again in one place. */
  readonly allowed: number
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  readonly ask: (
    texts: readonly string[],
    skipMachine: readonly string[],
  ) => Promise<readonly TranslationEntry[] | null>
  /** @returns what an entry says in the language of the page; '' for nothing */
  readonly said: (entry: TranslationEntry | undefined) => string
  /** Whether a text is still as it was found. */
  readonly isOurs: (found: FoundText) => boolean
  /** Gives a blank text back. */
  readonly restore: (found: FoundText) => void
  readonly settle: (answered: readonly (readonly [FoundText, Answer])[]) => void
}

export type TextQueue = Pick<TextLimits, 'isTooOften' | 'count'> & {
  /** @returns what is known of a text, or of another that differs in its figures alone */
  answerTo(text: string, name: string): Answer | undefined
  /** Whether nothing is asked for, since all went wrong. */
  isAtPeace(): boolean
  /** Takes in a text that waits. */
  add(text: string): void
  /** When a text may be asked for: at once, unless nothing was known of its like a moment ago. */
  dueAt(text: string): number
  /** Asks for what is due, now or later. */
  plan(): void
}

const betweenRequestsMs = 50
/** After so many failures in a row the page is left in peace for a while. */
const failuresInARow = 3
const peaceMs = 30_000

/** Asks for texts, many at once, and knows the answers. Loaded with the first text that is to be asked for. */
export function createTranslationQueue(parts: QueueParts): TextQueue {
  const { waiting, now, later } = parts
  const limits = textLimits(parts.allowed, now)
  /** Answers for as long as the page lives; a text without a translation is known by an empty one. */
  const known = new Map<string, Answer>()
  /** Whether each has to wait until its template may be asked for again. */
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
    // What nothing is due for has no time; and the sooner of two plans counts.
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

  /** What had to wait may be gone from the page by now, or known through another text. */
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

  /** As many of those that are due as one request may hold, in the form that they are sent in. */
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
