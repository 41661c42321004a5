import { ownCopy } from '../shared/copy-string.ts'

/** A cache of the most recently used entries, limited in bytes. */
export type BoundedCache<Value> = {
  /** Undefined: not cached. */
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  readonly bytes: number
}

/** Stores its own copy of the text: the caller's may be a slice that keeps a whole page in memory. */
type Entry<Value> = { readonly key: string; readonly value: Value }

/** Bytes of an entry besides its texts. */
const entryBytes = 150

/**
 * @param maxBytes read at each insertion: the limit of a language depends on the number of languages
 * @param lengthOf the characters of a value
 */
export function boundedCache<Value>(maxBytes: () => number, lengthOf: (value: Value) => number): BoundedCache<Value> {
  // A map keeps its keys in order of insertion: the first is the least recently used.
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
