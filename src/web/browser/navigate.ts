import { onceConnected, staysHere } from './offline.ts'

/**
 * Goes to an address that an answer or a link named, unless it is something other than a page, or nothing can come.
 * @returns false where the page stays
 */
export function goTo(address: string): boolean {
  const url = new URL(address, document.baseURI)
  const goes = (url.protocol === 'https:' || url.protocol === 'http:') && !staysHere()
  if (goes) location.assign(url)
  return goes
}

/** For what the shop has done already, which no further press would bring about: the way on waits for the connection. */
export function goOnTo(address: string): void {
  if (!goTo(address)) onceConnected(() => goTo(address))
}

export function reloadPage(): void {
  if (staysHere()) onceConnected(() => location.reload())
  else location.reload()
}
