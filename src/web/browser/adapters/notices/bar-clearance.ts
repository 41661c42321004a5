import { barHooks } from '#contract/notices/banner-hooks.ts'

/**
 * Sets the height of the bars at the bottom of the window for the styles, at the start and on every change: no focused
 * or floating element overlaps them. Safe to call again.
 */
export function keepClearOfBars(): void {
  const bars = document.querySelector<HTMLElement>(barHooks.bars)
  if (!bars || bars.hasAttribute(barHooks.watchedAttribute)) return
  bars.setAttribute(barHooks.watchedAttribute, '')
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
  }).observe(bars)
}
