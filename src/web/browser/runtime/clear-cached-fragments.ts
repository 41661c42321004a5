import { settings } from './settings.ts'

/** The cart's markup that this tab keeps is in the language or currency that is left, or of the customer who has left. */
export function forgetFragments(): void {
  const { fragment_name, cart_hash_key } = settings('wc_cart_fragments_params')
  try {
    for (const name of [fragment_name, cart_hash_key]) if (name) sessionStorage.removeItem(name)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
