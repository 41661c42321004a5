/** How often it is looked, in milliseconds: while pages are made, ten megabytes pass in it at most. */
export const heapCheckIntervalMs = 50

/** What the heap may grow by before it is collected: less often than every half a second where pages come as fast as they can. */
const leastGrowthBytes = 26e6
/** Of a heap that is large because much in it lives, a part of that: collecting it takes longer. */
const growth = 0.75

/**
 * Collects garbage once the heap has grown by as much as the shop allows it. V8 has a limit of its own and does not keep to it:
 * it is held against what is asked for in the old part of the heap, and a shop asks for next to nothing there. What it has is
 * what outlived two collections of the young part, by which nothing is held back. So a heap of 35 MB grew to 70 or 150 MB, as it
 * happened, and memory that was once taken is hardly given back.
 * @param usedBytes of the heap, garbage and all
 * @param collect all of it, at once
 * @returns what is to be called every `heapCheckIntervalMs`
 */
export function heapKeeper({ usedBytes, collect }: { usedBytes: () => number; collect: () => void }): () => void {
  /** What was left by the last collection, whoever asked for it, as far as it was seen. */
  let left = usedBytes()
  return () => {
    const used = usedBytes()
    if (used < left) left = used
    if (used - left <= Math.max(leastGrowthBytes, left * growth)) return
    collect()
    left = usedBytes()
  }
}
