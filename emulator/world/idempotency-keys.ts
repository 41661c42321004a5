import type { Answer } from '../rest/operation.ts'

/** What is known about one `PayPal-Request-Id`. */
export type StoredAnswer = { kind: 'in-progress' } | { kind: 'done'; answer: Answer; untilMs: number }

export type RequestMemory = {
  recall(key: string, nowMs: number): StoredAnswer | undefined
  begin(key: string): void
  /** Keeps the answer; `undefined` forgets the id, so that a refused call can be repeated. */
  finish(key: string, answer: Answer | undefined, untilMs: number): void
  clear(): void
}

/** Old ids leave when the table is full: Map keeps insertion order, and older entries expire first. */
const MOST_ENTRIES = 200_000

export function requestMemory(): RequestMemory {
  const entries = new Map<string, StoredAnswer>()
  return {
    recall(key, nowMs) {
      const entry = entries.get(key)
      if (entry?.kind === 'done' && entry.untilMs <= nowMs) {
        entries.delete(key)
        return undefined
      }
      return entry
    },
    begin(key) {
      if (entries.size >= MOST_ENTRIES) {
        const oldest = entries.keys().next().value
        if (oldest !== undefined) entries.delete(oldest)
      }
      entries.set(key, { kind: 'in-progress' })
    },
    finish(key, answer, untilMs) {
      if (answer) entries.set(key, { kind: 'done', answer, untilMs })
      else entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
