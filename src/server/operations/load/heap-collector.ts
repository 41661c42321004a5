/** Interval of the checks in milliseconds: page builds allocate ten megabytes in it at most. */
export const heapCheckIntervalMs = 50

/** Minimum growth before a collection: at full speed less than two collections a second. */
const leastGrowthBytes = 26e6
/** Growth relative to the live heap: collecting a large heap takes longer. */
const growth = 0.75

/**
 * Collects garbage once the heap has grown by a fixed amount. V8 compares its own limit with allocations in the old
 * generation, and a shop allocates almost nothing there: its old generation fills by promotion, which the limit does
 * not count. A heap of 35 MB grew to 70 or 150 MB, and memory once committed is hardly ever released.
 * @param usedBytes size of the heap, garbage included
 * @param collect a full, synchronous collection
 * @returns the function to call every `heapCheckIntervalMs`
 */
export function heapKeeper({ usedBytes, collect }: { usedBytes: () => number; collect: () => void }): () => void {
  /** Live bytes after the last collection, by whichever trigger, as far as it was observed. */
  let left = usedBytes()
  return () => {
    const used = usedBytes()
    if (used < left) left = used
    if (used - left <= Math.max(leastGrowthBytes, left * growth)) return
    collect()
    left = usedBytes()
  }
}
