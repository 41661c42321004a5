/** Calculates the header's state at a scroll position. All values in CSS pixels. */

export type HeaderState = 'static' | 'at-start' | 'stuck'

/** Returns the position within the page: some browsers overscroll its ends. */
export function clampScroll(y: number, pageHeight: number, windowHeight: number): number {
  return Math.min(Math.max(y, 0), Math.max(0, pageHeight - windowHeight))
}

/** @param offset the scroll position at which the header would leave the window */
export function headerState(y: number, offset: number): HeaderState {
  if (y < offset) return 'static'
  return y === offset ? 'at-start' : 'stuck'
}

/** A finger is never still: a smaller distance has no direction. */
const deadZone = 5

/** `turn`: the position at which the current direction started. */
export type Reveal = { readonly hidden: boolean; readonly turn: number }

/**
 * Returns whether a header that hides on scrolling down and shows on scrolling up is hidden. @param from above this
 * position it is always shown
 */
export function nextReveal({ hidden, turn }: Reveal, y: number, from: number): Reveal {
  if (y <= from) return { hidden: false, turn: y }
  // Continuing in the direction of the current state moves the turning point.
  if (hidden ? y > turn : y < turn) return { hidden, turn: y }
  return Math.abs(y - turn) >= deadZone ? { hidden: !hidden, turn: y } : { hidden, turn }
}

/** Returns how many pixels a shrinking row has lost at a scroll position. */
export function shrunkBy(most: number, y: number, from: number): number {
  return Math.min(Math.max(y - from, 0), most)
}
