import { settings } from './settings.ts'

/** Clears the tab's cached cart markup after a change of language, currency or customer. */
export function forgetFragments(): void {
  const { fragment_name, cart_hash_key } = settings('wc_cart_fragments_params')
  try {
    for (const name of [fragment_name, cart_hash_key]) if (name) sessionStorage.removeItem(name)
  } catch {
    // A browser without storage has nothing to clear.
  }
}
