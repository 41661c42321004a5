import { isNavigationBlocked } from './offline.ts'

/**
 * Navigates to a URL of a response or link, unless it is not a page, or there is no connection.
 * @returns false where the page stays
 */
export function goTo(address: string, later?: () => void): boolean {
  const url = new URL(address, document.baseURI)
  const goes = (url.protocol === 'https:' || url.protocol === 'http:') && !isNavigationBlocked(later)
  if (goes) location.assign(url)
  return goes
}

/** Navigates after an action that the shop has completed and a press would not repeat: it waits for the connection. */
export function goToWhenOnline(address: string): void {
  goTo(address, () => goToWhenOnline(address))
}

export function reloadPage(): void {
  if (!isNavigationBlocked(reloadPage)) location.reload()
}
