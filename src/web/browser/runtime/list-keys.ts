/** Characters typed within this time form one word. */
const typingMs = 500

/** An open list, as its keys see it. */
export type KeyedList = {
  /** The number of options that can be active. */
  readonly count: number
  /** The place of the active option; -1 without one. */
  readonly active: number
  /** A field keeps the focus, and needs some keys itself. */
  readonly hasField?: boolean
  /** The field itself follows both ends of the list. */
  readonly passesField?: boolean
  /** The texts of an option that typed letters look for. */
  readonly wordsOf?: (place: number) => readonly string[]
}

/** A place in the list, -1 for its field, or what else a key asks for. */
export type ListStep = number | 'choose' | 'close' | 'leave'

/** Returns the meaning of a key in a list; undefined leaves it to the browser. */
export type ListKeys = (event: KeyboardEvent, list: KeyedList) => ListStep | undefined

/**
 * The keys of an open listbox, and of any list that is used like one (WAI-ARIA Authoring Practices): arrows, Home and
 * End move among the options, letters jump, Enter chooses, Escape closes, Tab leaves.
 */
export function listKeys(): ListKeys {
  let typed = ''
  let typedAt = 0

  /** @returns the place of the next option that begins with the typed letters */
  function jump(
    letter: string,
    now: number,
    { count, active }: KeyedList,
    wordsOf: (place: number) => readonly string[],
  ) {
    typed = now - typedAt > typingMs ? letter : typed + letter
    typedAt = now
    const lower = typed.toLocaleLowerCase()
    // Repeating a letter moves to the next option that starts with it.
    const wanted = [...lower].every((one) => one === lower[0]) ? lower.slice(0, 1) : lower
    const from = wanted.length === 1 ? active + 1 : Math.max(active, 0)
    const places = Array.from({ length: count }, (_, place) => (from + place) % count)
    return places.find((place) => wordsOf(place).some((word) => word.toLocaleLowerCase().startsWith(wanted)))
  }

  return (event, list) => {
    const { key, altKey, ctrlKey, metaKey } = event
    const { count, hasField, wordsOf } = list
    if (event.isComposing) return undefined
    if (wordsOf && key.length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey)
      return jump(key, event.timeStamp, list, wordsOf)
    if (key === 'Tab') return 'leave'
    if (key === 'Enter') return 'choose'
    if (key === 'Escape' || (key === 'ArrowUp' && altKey)) return 'close'
    if (key === 'ArrowDown' || key === 'ArrowUp') return step(key === 'ArrowDown' ? 1 : -1, list)
    if (count === 0 || hasField) return undefined
    return key === 'Home' ? 0 : key === 'End' ? count - 1 : undefined
  }
}

function step(by: 1 | -1, { count, active, passesField }: KeyedList): number {
  if (!passesField) return Math.min(Math.max(active + by, 0), count - 1)
  const next = (active === -1 && by === -1 ? count : active) + by
  return next < count ? next : -1
}
