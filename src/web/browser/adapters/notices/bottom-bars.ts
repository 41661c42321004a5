import { barHooks } from '#contract/notices/banner-hooks.ts'
import { keepClearOfBars } from './bar-clearance.ts'
import { startStoreNotice } from './store-notice.ts'

/** The bars that a visitor can dismiss. The page is told how much room they take, so that nothing that has the focus hides there. */
export function startBottomBars(): void {
  const notice = document.querySelector<HTMLElement>(barHooks.notice)
  if (notice) startStoreNotice(notice, hideBar)
  const banner = document.querySelector<HTMLElement>(barHooks.comingSoon)
  // Only the staff of a shop that is not open yet has one.
  if (banner)
    void import('./coming-soon-banner.ts')
      .then((part) => part.startComingSoonBanner(banner, hideBar))
      .catch(reportError)
  keepClearOfBars()
}

/** What had the focus is gone with its bar: it goes on at the page's content, where it is. */
export function hideBar(bar: HTMLElement): void {
  const focused = bar.contains(document.activeElement)
  bar.hidden = true
  if (focused) document.querySelector('main')?.focus({ preventScroll: true })
}
