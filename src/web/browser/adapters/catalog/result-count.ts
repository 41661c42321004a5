import { listingHooks } from '#contract/shared/hooks.ts'

const refreshAfterMs = 1000

/**
 * Announces the count of a sorted, filtered or searched list. It arrives in a new page, where a screen reader ignores
 * an existing live region, so its text is removed and inserted again. Loaded only for URLs with a query.
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
