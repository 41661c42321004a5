import { staysHere } from './offline.ts'

/** Goes to an address that an answer or a link named, unless it is something other than a page, or nothing can come. */
export function goTo(address: string): void {
  const url = new URL(address, document.baseURI)
  if ((url.protocol === 'https:' || url.protocol === 'http:') && !staysHere()) location.assign(url)
}

export function reloadPage(): void {
  if (!staysHere()) location.reload()
}
