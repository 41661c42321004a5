import { drawerHooks, listingHooks, menuHooks } from '#contract/shared/hooks.ts'
import type { ListingSwap } from './adapters/catalog/listing-swap.ts'
import type { Drawers } from './adapters/theme/drawer.ts'
import { allOf, closestTo } from './runtime/elements.ts'
import { listen } from './runtime/events.ts'
import { goTo, reloadPage } from './runtime/navigate.ts'
import { isPlainClick } from './runtime/plain-click.ts'

/** Loads code at the visitor's first press: drawers and menus, and in-place listing changes. */
export function startPresses(): void {
  let drawers: Promise<Drawers> | undefined
  let swap: Promise<ListingSwap> | undefined
  const listing = () => {
    swap ??= import('./adapters/catalog/listing-swap.ts').then(({ createListingSwap }) => createListingSwap())
    return swap
  }
  const open = (address: string, turned: boolean) =>
    listing().then(
      (it) => it.open(address, turned),
      () => goTo(address),
    )
  for (const toggle of allOf(drawerHooks.toggle)) {
    if (toggle.hasAttribute('aria-controls')) toggle.setAttribute('aria-expanded', 'false')
  }
  listen(document, 'click', (event) => {
    if (!isPlainClick(event)) return
    const link = closestTo(event, `${drawerHooks.toggle}, ${menuHooks.toggle}, ${listingHooks.swapLink}`)
    if (link?.matches(menuHooks.toggle)) {
      void import('./adapters/theme/sub-menus.ts').then(({ toggleSubMenu }) => toggleSubMenu(link))
      return
    }
    const { toggleTarget } = link?.dataset ?? {}
    const drawer = toggleTarget ? document.querySelector<HTMLElement>(toggleTarget) : undefined
    const isLink = link instanceof HTMLAnchorElement
    // The cart and checkout pages have no cart drawer: the link leads to the cart.
    if (
      link &&
      drawer &&
      !(isLink && drawer.matches(drawerHooks.cart) && document.body.matches(drawerHooks.cartPages))
    ) {
      event.preventDefault()
      drawers ??= import('./adapters/theme/drawer.ts').then(({ Drawers }) => new Drawers())
      drawers.then(
        (it) => it.toggle(drawer, link),
        () => isLink && goTo(link.href),
      )
    } else if (isLink && !toggleTarget) {
      event.preventDefault()
      open(link.href, link.matches(listingHooks.pageLink))
    }
  })
  listen(document, 'submit', (event) => {
    const form = closestTo(event, listingHooks.swapForm)
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
    event.preventDefault()
    const url = new URL(form.action)
    // The form has only text fields, and empty ones are left out.
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value))
    open(url.href, false)
  })
  // The list may have been swapped in an earlier document: pages that are left and returned to are reloaded.
  addEventListener('popstate', ({ state }) => {
    if (state?.listing) listing().then((it) => it.comeBack(state), reloadPage)
  })
}
