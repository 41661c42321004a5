import { ownCopy } from '../shared/copy-string.ts'

/** What was used last, within so many bytes. */
export type BoundedCache<Value> = {
  /** Undefined: not known here. */
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  readonly bytes: number
}

/** Under a text of its own: whoever asks may have cut theirs out of a page. */
type Entry<Value> = { readonly key: string; readonly value: Value }

/** What an entry takes beside its texts. */
const entryBytes = 150

/**
 * @param maxBytes asked anew at each entry: what a language may use depends on how many there are
 * @param lengthOf the characters of a value
 */
export function boundedCache<Value>(maxBytes: () => number, lengthOf: (value: Value) => number): BoundedCache<Value> {
  // A map keeps its keys in the order in which they came in: the first is the one not used for the longest time.
  const kept = new Map<string, Entry<Value>>()
  let bytes = 0
  const sizeOf = (key: string, value: Value) => 2 * (key.length + lengthOf(value)) + entryBytes
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      kept.set(entry.key, entry)
      return entry.value
    },
    put(key, value) {
      const before = kept.get(key)
      if (before !== undefined) {
        kept.delete(key)
        bytes -= sizeOf(key, before.value)
      }
      const most = maxBytes()
      if (sizeOf(key, value) > most) return
      const own = ownCopy(key)
      kept.set(own, { key: own, value })
      bytes += sizeOf(key, value)
      for (const [oldest, old] of kept) {
        if (bytes <= most) break
        kept.delete(oldest)
        bytes -= sizeOf(oldest, old.value)
      }
    },
    get bytes() {
      return bytes
    },
  }
}
