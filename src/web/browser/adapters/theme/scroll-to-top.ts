import { topHooks } from '#contract/theme/hooks.ts'
import { closestTo } from '../../runtime/elements.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'

const shownBeyond = 100

/** The way back up: at hand once there is one. Hidden by the styles, so that it cannot have the focus then. */
export function startScrollToTop(scrolled: (update: () => void) => void): void {
  const link = document.querySelector(topHooks.link)
  if (!link) return
  scrolled(() => link.classList.toggle(topHooks.shownClass, scrollY > shownBeyond))
  document.addEventListener('click', (event) => {
    if (closestTo(event, topHooks.link) !== link || !isPlainClick(event)) return
    event.preventDefault()
    // The styles say whether it glides there.
    scrollTo({ top: 0 })
    document.querySelector<HTMLElement>(topHooks.lead)?.focus({ preventScroll: true })
  })
}
