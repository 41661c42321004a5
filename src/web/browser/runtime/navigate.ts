import { staysHere } from './offline.ts'

/**
 * Goes to an address that an answer or a link named, unless it is something other than a page, or nothing can come.
 * @returns false where the page stays
 */
export function goTo(address: string, later?: () => void): boolean {
  const url = new URL(address, document.baseURI)
  const goes = (url.protocol === 'https:' || url.protocol === 'http:') && !staysHere(later)
  if (goes) location.assign(url)
  return goes
}

/** For what the shop has done already, which no further press would bring about: the way on waits for the connection. */
export function goOnTo(address: string): void {
  goTo(address, () => goOnTo(address))
}

export function reloadPage(): void {
  if (!staysHere(reloadPage)) location.reload()
}
