/** What the head of the page does at a place of the page: figures in, states out. All in CSS pixels. */

export type HeaderState = 'static' | 'at-start' | 'stuck'

/** Where the page really is: some browsers pull it beyond its ends. */
export function clampScroll(y: number, pageHeight: number, windowHeight: number): number {
  return Math.min(Math.max(y, 0), Math.max(0, pageHeight - windowHeight))
}

/** @param offset where the page has to be scrolled to before the header would leave */
export function headerState(y: number, offset: number): HeaderState {
  if (y < offset) return 'static'
  return y === offset ? 'at-start' : 'stuck'
}

/** A finger is never still: less than this is no direction. */
const deadZone = 5

/** `turn`: the place from which the present direction counts. */
export type Reveal = { readonly hidden: boolean; readonly turn: number }

/** Whether a header that leaves on the way down and comes on the way up is away. @param from below this it is left alone */
export function nextReveal({ hidden, turn }: Reveal, y: number, from: number): Reveal {
  if (y <= from) return { hidden: false, turn: y }
  // Going on in the direction it already has moves the place along.
  if (hidden ? y > turn : y < turn) return { hidden, turn: y }
  return Math.abs(y - turn) >= deadZone ? { hidden: !hidden, turn: y } : { hidden, turn }
}

/** How much of a row that becomes lower is lost, as the page leaves its start. */
export function shrunkBy(most: number, y: number, from: number): number {
  return Math.min(Math.max(y - from, 0), most)
}
