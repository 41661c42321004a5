import { currencyHooks } from '#contract/currency/hooks.ts'
import { cartEvents } from '#contract/shared/events.ts'
import { miniCartHooks } from '#contract/shared/hooks.ts'
import { cartHashCookie, cookie } from './cookies.ts'
import { trigger } from './events.ts'
import { openStores, storeNames } from './fragments.ts'

/**
 * Refreshes a page that the visitor returns to. The visitor may have chosen another currency or changed the cart on
 * other pages and in other tabs. Loaded at the first return.
 * @param persisted the page was restored from the back/forward cache
 */
export function refreshOnReturn(persisted: boolean): void {
  followCurrency()
  followCart(persisted)
}

/** Reloads a page whose prices are not in the chosen currency. */
export function followCurrency(): void {
  const form = document.querySelector<HTMLElement>(currencyHooks.switcher)
  if (!form) return
  const { currencies: shown, own = '', byCountry } = form.dataset
  const chosen = cookie(currencyHooks.name)
  // Without a choice the server may decide by country, which a browser does not know.
  if (chosen === undefined && byCountry !== undefined) return
  if ((chosen || own) !== shown) location.reload()
}

function followCart(persisted: boolean): void {
  const stores = openStores()
  if (!stores) return
  const shown = stores.session.getItem(storeNames().hash) ?? ''
  const now = cartHashCookie()
  // The back/forward cache restores the page unchanged, whatever this tab has seen of the cart since.
  if (persisted ? shown === '' && now === '' : shown === now) return
  if (persisted) for (const content of document.querySelectorAll(miniCartHooks.content)) content.replaceChildren()
  trigger(document.body, cartEvents.refreshFragments)
}
