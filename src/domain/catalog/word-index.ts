/**
 * The in-memory index of product words. The positions of a word are stored as differences of product numbers together
 * with the word's weight there, seven bits per byte: most take one or two bytes. A word in more than a fourth of all
 * products has a table of weights instead, two bits per product: it is smaller, and a search that has found few
 * products by other words reads only those.
 */
export type WordIndex = {
  /** Sorted words, for prefix look-ups. */
  readonly words: readonly string[]
  /** The bytes of word `nr` are `places[starts[nr]]` up to `places[starts[nr + 1]]`. */
  readonly starts: Uint32Array
  readonly places: Uint8Array
  /** By word, the weights in product 0, 1, … for words without positions. */
  readonly weights: ReadonlyMap<number, Uint8Array>
  /** The number of products of each word. */
  readonly counts: Uint32Array
  /** The number of words in each product's name, as far as they count. */
  readonly nameLengths: Uint8Array
}

/** Weight of a word's position. A name is more relevant than a text. */
export const inText = 1
export const inShortText = 2
export const inName = 3
export type Weight = typeof inText | typeof inShortText | typeof inName

/** The words of one product. */
export type ProductWords = {
  readonly name: readonly string[]
  /** Short description, categories, tags, attribute values. */
  readonly short: readonly string[]
  readonly text: readonly string[]
}

/**
 * Creates an index product by product, in the order of their numbers; `finish` returns it.
 * @param counted the words of a name that count for its length; default: all
 */
export function wordIndexDraft(size: number, counted: (name: readonly string[]) => readonly string[] = (name) => name) {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  const nameLengths = new Uint8Array(size)
  /** Contains for each product its number, its count of words, and each word's number × 4 + weight. */
  let heap = new Uint32Array(1 << 14)
  let used = 0
  /** The last heap position of each word. */
  const lastAt: number[] = []

  function add(nr: number, { name, short, text }: ProductWords): void {
    nameLengths[nr] = Math.min(255, counted(name).length)
    const most = used + name.length + short.length + text.length + 2
    if (most > heap.length) {
      const larger = new Uint32Array(Math.max(heap.length * 2, most))
      larger.set(heap)
      heap = larger
    }
    const start = used
    heap[start] = nr
    used += 2
    // The highest weight last: it overwrites.
    for (const word of text) put(word, inText, start)
    for (const word of short) put(word, inShortText, start)
    for (const word of name) put(word, inName, start)
    heap[start + 1] = used - start - 2
  }

  function put(word: string, weight: Weight, start: number): void {
    let number = numbers.get(word)
    if (number === undefined) {
      number = numbers.size
      numbers.set(copyText(word), number)
      counts.push(0)
      lastAt.push(-1)
    }
    let at = lastAt[number] ?? -1
    if (at < start) {
      at = used
      used += 1
      lastAt[number] = at
      counts[number] = (counts[number] ?? 0) + 1
    }
    heap[at] = number * 4 + weight
  }

  function finish(): WordIndex {
    const words = [...numbers.keys()].sort()
    const byText = new Uint32Array(words.length)
    for (const [at, word] of words.entries()) byText[numbers.get(word) ?? 0] = at
    const sorted = new Uint32Array(words.length)
    for (const [number, at] of byText.entries()) sorted[at] = counts[number] ?? 0
    const weights = new Map<number, Uint8Array>()
    for (const [word, count] of sorted.entries()) {
      if (count > size / 4) weights.set(word, new Uint8Array(Math.ceil(size / 4)))
    }
    const lengths = new Uint32Array(words.length)
    const last = new Uint32Array(words.length)
    eachPlace((word, nr, weight) => {
      const dense = weights.get(word)
      if (dense) dense[nr >>> 2] = (dense[nr >>> 2] ?? 0) | (weight << ((nr & 3) * 2))
      else lengths[word] = (lengths[word] ?? 0) + bytesOf(placeValue(word, nr, weight))
    })
    const starts = new Uint32Array(words.length + 1)
    for (const [at, length] of lengths.entries()) starts[at + 1] = (starts[at] ?? 0) + length
    const places = new Uint8Array(starts[words.length] ?? 0)
    const ends = starts.slice()
    last.fill(0)
    eachPlace((word, nr, weight) => {
      if (weights.has(word)) return
      let rest = placeValue(word, nr, weight)
      let at = ends[word] ?? 0
      for (; rest >= 128; rest = rest >>> 7) places[at++] = (rest & 127) | 128
      places[at++] = rest
      ends[word] = at
    })
    return { words, starts, places, weights, counts: sorted, nameLengths }

    function placeValue(word: number, nr: number, weight: number): number {
      const value = (nr - (last[word] ?? 0)) * 4 + weight
      last[word] = nr
      return value
    }

    function eachPlace(visit: (word: number, nr: number, weight: number) => void): void {
      for (let at = 0; at < used; ) {
        const nr = heap[at] ?? 0
        const end = at + 2 + (heap[at + 1] ?? 0)
        for (at += 2; at < end; at += 1) {
          const packed = heap[at] ?? 0
          visit(byText[packed >>> 2] ?? 0, nr, packed & 3)
        }
      }
    }
  }
  return { add, finish }
}

/** Copies a text: a slice of a long text would keep all of it in memory for the lifetime of the index. */
function copyText(word: string): string {
  return word.split('').join('')
}

function bytesOf(value: number): number {
  let bytes = 1
  for (let rest = value; rest >= 128; rest = rest >>> 7) bytes += 1
  return bytes
}

/** Calls `visit` with every product that contains the word, smallest number first. */
export function eachPlaceOf(
  { starts, places, weights }: WordIndex,
  word: number,
  visit: (nr: number, weight: number) => void,
): void {
  const dense = weights.get(word)
  if (dense) {
    eachWeight(dense, visit)
    return
  }
  const end = starts[word + 1] ?? 0
  let nr = 0
  for (let at = starts[word] ?? 0; at < end; ) {
    let value = 0
    let shift = 0
    let byte = places[at++] ?? 0
    for (; byte >= 128; byte = places[at++] ?? 0) {
      value |= (byte & 127) << shift
      shift += 7
    }
    value |= byte << shift
    nr += value >>> 2
    visit(nr, value & 3)
  }
}

function eachWeight(dense: Uint8Array, visit: (nr: number, weight: number) => void): void {
  for (let at = 0; at < dense.length; at += 1) {
    let nr = at * 4
    for (let four = dense[at] ?? 0; four !== 0; four >>>= 2) {
      if ((four & 3) !== 0) visit(nr, four & 3)
      nr += 1
    }
  }
}

/** Returns a word's weight in a product, from a table; 0 if the product lacks it. */
export function weightIn(dense: Uint8Array, nr: number): number {
  return ((dense[nr >>> 2] ?? 0) >>> ((nr & 3) * 2)) & 3
}

/** Returns a word's place in the list, or its insertion point. */
export function wordPlace(words: readonly string[], word: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}
