import { barHooks } from '#contract/notices/banner-hooks.ts'
import { keepClearOfBars } from './bar-clearance.ts'
import { startStoreNotice } from './store-notice.ts'

/**
 * Starts the dismissible bars. Their height is set for the styles, so that no focused element is hidden behind them.
 */
export function startBottomBars(): void {
  const notice = document.querySelector<HTMLElement>(barHooks.notice)
  if (notice) startStoreNotice(notice, hideBar)
  const banner = document.querySelector<HTMLElement>(barHooks.comingSoon)
  // Only staff of a shop that is not open yet see it.
  if (banner)
    void import('./coming-soon-banner.ts')
      .then((part) => part.startComingSoonBanner(banner, hideBar))
      .catch(reportError)
  keepClearOfBars()
}

/** Hides a bar. The focus moves from the hidden bar to the page's content, without scrolling. */
export function hideBar(bar: HTMLElement): void {
  const focused = bar.contains(document.activeElement)
  bar.hidden = true
  if (focused) document.querySelector('main')?.focus({ preventScroll: true })
}
