import { barHooks } from '#contract/bar-hooks.ts'
import { keepClearOfBars } from './clear-of-bars.ts'
import { startStoreNotice } from './store-notice.ts'

/** The bars that a visitor can dismiss. The page is told how much room they take, so that nothing that has the focus hides there. */
export function startBottomBars(): void {
  const notice = document.querySelector<HTMLElement>(barHooks.notice)
  if (notice) startStoreNotice(notice)
  const banner = document.querySelector<HTMLElement>(barHooks.comingSoon)
  // Only the staff of a shop that is not open yet has one.
  if (banner) void import('./coming-soon.ts').then((part) => part.startComingSoonBanner(banner)).catch(reportError)
  keepClearOfBars()
}
