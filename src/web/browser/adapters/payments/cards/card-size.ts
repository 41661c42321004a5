import { cardHooks } from '#contract/payments/constants.ts'

/** Minimum width of each size class, borders included; an element has exactly one class. */
const sizes = [
  ['xs', 0],
  ['sm', 600],
  ['md', 900],
  ['lg', 1200],
] as const

export function cardSize(widthPx: number): (typeof sizes)[number][0] {
  return sizes.findLast(([, from]) => widthPx >= from)?.[0] ?? 'xs'
}

/** Keeps an element's size class up to date, for styles of the card fields. @returns a function that stops */
export function followCardSize(element: HTMLElement): () => void {
  const apply = () => {
    const now = cardSize(element.getBoundingClientRect().width)
    for (const [name] of sizes) element.classList.toggle(`${cardHooks.sizeClass}--${name}`, name === now)
  }
  // Restores the class also when new markup removes it.
  const changes = new MutationObserver(() => {
    if (!element.className.includes(`${cardHooks.sizeClass}--`)) apply()
  })
  const widths = new ResizeObserver(apply)
  apply()
  changes.observe(element, { attributeFilter: ['class'] })
  widths.observe(element)
  return () => {
    changes.disconnect()
    widths.disconnect()
  }
}
