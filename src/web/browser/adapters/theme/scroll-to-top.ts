import { topHooks } from '#contract/theme/hooks.ts'
import { closestTo } from '../../runtime/elements.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'

const shownBeyond = 100

/** Shows the scroll-to-top link once the page is scrolled. The styles hide it, so that it is not focusable then. */
export function startScrollToTop(scrolled: (update: () => void) => void): void {
  const link = document.querySelector(topHooks.link)
  if (!link) return
  scrolled(() => link.classList.toggle(topHooks.shownClass, scrollY > shownBeyond))
  document.addEventListener('click', (event) => {
    if (closestTo(event, topHooks.link) !== link || !isPlainClick(event)) return
    event.preventDefault()
    // The styles decide about smooth scrolling.
    scrollTo({ top: 0 })
    document.querySelector<HTMLElement>(topHooks.lead)?.focus({ preventScroll: true })
  })
}
