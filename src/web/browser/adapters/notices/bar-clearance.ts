import { barHooks } from '#contract/notices/banner-hooks.ts'

let watched: HTMLElement | undefined

/**
 * Tells the styles how high the bars at the foot of the window are, now and whenever one comes or goes: nothing that has the
 * focus hides behind them, and nothing that floats lies over their words. Asked twice, it does it once.
 */
export function keepClearOfBars(): void {
  const bars = document.querySelector<HTMLElement>(barHooks.bars)
  if (!bars || bars === watched) return
  watched = bars
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
  }).observe(bars)
}
