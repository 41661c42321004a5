/** The last `size` things, oldest first. */
export type Ring<T> = { push(thing: T): void; all(): T[]; clear(): void }

export function ring<T>(size: number): Ring<T> {
  let things: T[] = []
  return {
    push(thing) {
      things.push(thing)
      // Cutting only when twice as long keeps pushing cheap.
      if (things.length >= size * 2) things = things.slice(-size)
    },
    all: () => things.slice(-size),
    clear: () => {
      things = []
    },
  }
}
