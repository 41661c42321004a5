import { announce } from '../../runtime/live-region.ts'

/** The row with the sum, and what stands in the place of a shipping method where there is none. */
const sum = '.order-total'
const missing = '.shipping-missing'

/** What there is to pay, in the words of the page. */
export function displayedTotal(): string {
  const row = document.querySelector(sum)
  const parts = [...document.querySelectorAll(missing), row?.querySelector('th'), row?.querySelector('td strong')]
  return parts
    .map((part) => part?.textContent?.trim() ?? '')
    .filter((text) => text !== '')
    .join(' ')
}

/** Says what there is to pay where a choice has changed it: the sum stands far from what was chosen, and comes later. */
export function announceTotal(before: string): void {
  const now = displayedTotal()
  if (now !== before) announce(now)
}
