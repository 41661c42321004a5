import { listingHooks } from '#contract/shared/hooks.ts'

const refreshAfterMs = 1000

/**
 * A sorted, filtered or searched list arrives as a new page, where a screen reader says nothing of a region that was there
 * from the start: its text is taken out and put back, which is heard. Loaded for addresses with a query alone.
 */
export function startResultCount(): void {
  if (document.querySelector(listingHooks.blockFilters)) return
  for (const count of document.querySelectorAll(listingHooks.resultCount)) {
    count.setAttribute('role', 'alert')
    count.setAttribute('aria-hidden', 'true')
    setTimeout(() => {
      const content = [...count.childNodes]
      count.setAttribute('aria-hidden', 'false')
      count.replaceChildren()
      count.append(...content)
    }, refreshAfterMs)
  }
}
