import { barHooks } from '#contract/bar-hooks.ts'

/**
 * Tells the styles how high the bars at the foot of the window are, now and whenever one comes or goes: nothing that has the
 * focus hides behind them, and nothing that floats lies over their words. On every page, since the connection can be lost on any.
 */
export function keepClearOfBars(): void {
  const bars = document.querySelector<HTMLElement>(barHooks.bars)
  if (!bars) return
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
  }).observe(bars)
}
