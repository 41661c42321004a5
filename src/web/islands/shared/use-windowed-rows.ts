import { type CSSProperties, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Activation, ListOption } from './use-listbox.ts'

/** More rows than these are drawn only near the part of the list that is seen. */
const drawnAtMost = 100
const drawnNearby = 50
/** Rows of these before the first that is seen. */
const drawnBefore = 15

type Rows<Option extends ListOption> = {
  readonly options: readonly Option[]
  readonly active: Option | undefined
  readonly activation: Activation
}

type WindowedRows = {
  readonly isWindowed: boolean
  readonly first: number
  readonly last: number
  /** The style of a row: the first and last that are drawn keep room for those beyond them. */
  styleOf(row: number): CSSProperties | undefined
  onScroll(): void
}

/**
 * Which rows of a list are drawn, and where it is scrolled to: a new list has its active option in the middle, so that
 * its neighbours are visible on both sides; from then on it moves as little as it must. Rows may differ in height.
 */
export function useWindowedRows<Option extends ListOption>(
  list: RefObject<HTMLElement | null>,
  { options, active, activation }: Rows<Option>,
): WindowedRows {
  const count = options.length
  const isWindowed = count > drawnAtMost
  const [seen, setSeen] = useState({ options, row: 0 })
  const firstSeen = seen.options === options ? seen.row : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options have other heights.
  const heights = useMemo(() => new RowHeights(), [options])
  const first = isWindowed ? Math.max(0, Math.min(firstSeen - drawnBefore, count - drawnNearby)) : 0
  const last = isWindowed ? Math.min(first + drawnNearby, count) : count

  const wanted = useRef<'center' | 'nearest' | undefined>(undefined)
  const isNew = useRef(true)
  useLayoutEffect(() => {
    if (activation.id && activation.reveals) wanted.current = isNew.current ? 'center' : 'nearest'
  }, [activation])

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    if (isWindowed) element.scrollTop += heights.measure([...element.children], first, firstSeen)
    if (!active || !wanted.current) return
    const row = document.getElementById(active.id)
    if (row) {
      reveal(row, element, wanted.current)
      wanted.current = undefined
      isNew.current = false
    } else {
      setSeen({ options, row: options.indexOf(active) })
    }
  })

  return {
    isWindowed,
    first,
    last,
    styleOf(row) {
      if (!isWindowed) return undefined
      if (row === first) return { marginBlockStart: heights.between(0, first) }
      return row === last - 1 ? { marginBlockEnd: heights.between(last, count) } : undefined
    },
    onScroll() {
      if (isWindowed && list.current) setSeen({ options, row: heights.rowAt(list.current.scrollTop, count) })
    },
  }
}

/** The heights of a list's rows in pixels: of those that have been drawn as they were, of others as most are. */
class RowHeights {
  #usual: number | undefined
  readonly #measured: number[] = []

  /** @returns by how much the drawn rows before `firstSeen` are higher than was assumed */
  measure(rows: readonly Element[], first: number, firstSeen: number): number {
    this.#usual ??= Math.min(...rows.map((row) => row.getBoundingClientRect().height))
    let grown = 0
    for (const [index, row] of rows.entries()) {
      const place = first + index
      const { height } = row.getBoundingClientRect()
      if (place < firstSeen) grown += height - this.#of(place)
      this.#measured[place] = height
    }
    return grown
  }

  between(start: number, end: number): number {
    let sum = 0
    for (let row = start; row < end; row += 1) sum += this.#of(row)
    return sum
  }

  rowAt(distance: number, count: number): number {
    let bottom = 0
    for (let row = 0; row < count; row += 1) {
      bottom += this.#of(row)
      if (bottom > distance) return row
    }
    return count
  }

  #of(row: number): number {
    return this.#measured[row] ?? this.#usual ?? 44
  }
}

/** Scrolls the list only, or the page if the list itself does not scroll. */
function reveal(row: HTMLElement, list: HTMLElement, to: 'center' | 'nearest'): void {
  if (getComputedStyle(list).overflowY === 'visible') {
    row.scrollIntoView({ block: 'nearest' })
    return
  }
  const view = list.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  if (to === 'center') list.scrollTop += (top + bottom - view.top - view.bottom) / 2
  else if (top < view.top) list.scrollTop += top - view.top
  else if (bottom > view.bottom) list.scrollTop += bottom - view.bottom
}
