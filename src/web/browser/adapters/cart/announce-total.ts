import { announce } from '../../runtime/live-region.ts'

/** The row with the sum, and the text shown in place of a missing shipping method. */
const sum = '.order-total'
const missing = '.shipping-missing'

/** Returns the amount to pay as the page displays it. */
export function displayedTotal(): string {
  const row = document.querySelector(sum)
  const parts = [...document.querySelectorAll(missing), row?.querySelector('th'), row?.querySelector('td strong')]
  return parts
    .map((part) => part?.textContent?.trim() ?? '')
    .filter((text) => text !== '')
    .join(' ')
}

/** Announces a changed amount to pay: the sum is far from the control and is updated later. */
export function announceTotal(before: string): void {
  const now = displayedTotal()
  if (now !== before) announce(now)
}
