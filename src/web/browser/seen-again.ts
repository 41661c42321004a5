import { currencyHooks } from '#contract/currency-hooks.ts'
import { cartEvents } from '#contract/events.ts'
import { miniCartHooks } from '#contract/hooks.ts'
import { cartHashCookie, cookie } from './cookies.ts'
import { trigger } from './events.ts'
import { openStores, storeNames } from './fragments.ts'

/**
 * Brings a page up to date that is seen again: visitors may have chosen another currency meanwhile, and changed the cart, on other pages
 * and in other tabs. Loaded when that happens, and not before.
 * @param persisted the page comes out of the browser's memory
 */
export function seenAgain(persisted: boolean): void {
  followCurrency()
  followCart(persisted)
}

/** Prices of another currency than the chosen one are not left standing. */
export function followCurrency(): void {
  const form = document.querySelector<HTMLElement>(currencyHooks.switcher)
  if (!form) return
  const { currencies: shown, own = '', byCountry } = form.dataset
  const chosen = cookie(currencyHooks.name)
  // Without a choice the country may decide, of which a browser knows nothing.
  if (chosen === undefined && byCountry !== undefined) return
  if ((chosen || own) !== shown) location.reload()
}

function followCart(persisted: boolean): void {
  const stores = openStores()
  if (!stores) return
  const shown = stores.session.getItem(storeNames().hash) ?? ''
  const now = cartHashCookie()
  // In the browser's memory the page stayed as it was, whatever this tab has seen of the cart since.
  if (persisted ? shown === '' && now === '' : shown === now) return
  if (persisted) for (const content of document.querySelectorAll(miniCartHooks.content)) content.replaceChildren()
  trigger(document.body, cartEvents.refreshFragments)
}
