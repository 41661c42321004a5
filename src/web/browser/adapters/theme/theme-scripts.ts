import { currencyHooks } from '#contract/currency/hooks.ts'
import { languageHooks } from '#contract/translation/language-hooks.ts'
import { startViewedProducts } from '../catalog/viewed-products.ts'
import { keepClearOfBars } from '../notices/bar-clearance.ts'
import { startAnchors } from './anchors.ts'
import { startPictureTransition } from './picture-transition.ts'
import { startScrollToTop } from './scroll-to-top.ts'
import { startStickyHeader } from './sticky-header.ts'
import { startSubMenus } from './sub-menus.ts'

/** Starts the scripts of the page's frame after the first user activity. */
export function startTheme(): void {
  const scrolled = watchScrolling()
  startStickyHeader(scrolled)
  startScrollToTop(scrolled)
  // The connection can be lost on every page.
  keepClearOfBars()
  startSubMenus()
  startAnchors()
  startPictureTransition()
  startViewedProducts()
  if (document.querySelector(currencyHooks.switcher)) {
    void import('../currency/currency-switchers.ts').then(({ startCurrencies }) => startCurrencies())
  }
  if (document.querySelector(languageHooks.links)) {
    void import('../translation/language-links.ts').then(({ startLanguages }) => startLanguages())
  }
}

/** Returns a function that runs an update now, and after scrolling, at most once per frame. */
function watchScrolling(): (update: () => void) => void {
  const updates: (() => void)[] = []
  let waiting = false
  const ask = () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      for (const update of updates) update()
    })
  }
  addEventListener('scroll', ask, { passive: true })
  addEventListener('pageshow', ask)
  return (update) => {
    updates.push(update)
    update()
  }
}
