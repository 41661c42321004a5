import { cardHooks } from '#contract/payments/constants.ts'

/** Each width from which on a name holds; one name for every width, borders included. */
const sizes = [
  ['xs', 0],
  ['sm', 600],
  ['md', 900],
  ['lg', 1200],
] as const

export function cardSize(widthPx: number): (typeof sizes)[number][0] {
  return sizes.findLast(([, from]) => widthPx >= from)?.[0] ?? 'xs'
}

/** Keeps the class of an element's width on it, for styles of the card's fields. @returns a function that stops */
export function followCardSize(element: HTMLElement): () => void {
  const apply = () => {
    const now = cardSize(element.getBoundingClientRect().width)
    for (const [name] of sizes) element.classList.toggle(`${cardHooks.sizeClass}--${name}`, name === now)
  }
  // Also when markup that comes anew takes the class away.
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
