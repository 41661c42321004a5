/** @returns the decoded value, or undefined when there is no such cookie or it is not decodable. */
export function cookie(name: string): string | undefined {
  const start = `${name}=`
  const entry = document.cookie.split('; ').find((pair) => pair.startsWith(start))
  try {
    return entry === undefined ? undefined : decodeURIComponent(entry.slice(start.length))
  } catch {
    return undefined
  }
}

/** Returns true if the visitor's cart has items, by the server's last response. */
export function cartHasItems(): boolean {
  return Number(cookie('woocommerce_items_in_cart') ?? 0) > 0
}

/** Returns the hash of the visitor's cart, '' when it is empty. */
export function cartHashCookie(): string {
  return cookie('woocommerce_cart_hash') ?? ''
}
