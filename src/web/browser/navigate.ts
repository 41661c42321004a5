/** Goes to an address that an answer or a link named, unless it is something other than a page. */
export function goTo(address: string): void {
  const url = new URL(address, document.baseURI)
  if (url.protocol === 'https:' || url.protocol === 'http:') location.assign(url)
}

export function reloadPage(): void {
  location.reload()
}
