import { drawerHooks, listingHooks, menuHooks, searchHooks } from '#contract/shared/hooks.ts'
import { allOf, closestTo } from './runtime/elements.ts'
import { listen } from './runtime/events.ts'
import { goTo, reloadPage } from './runtime/navigate.ts'
import { isPlainClick } from './runtime/plain-click.ts'

/** What somebody's first press brings: the code of drawers and menus, of suggestions, and of a listing that changes in place. */
export function startPresses(): void {
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
    // On the cart and checkout pages the cart is not beside the page: the link leads to it.
    if (
      link &&
      drawer &&
      !(isLink && drawer.matches(drawerHooks.cart) && document.body.matches(drawerHooks.cartPages))
    ) {
      event.preventDefault()
      import('./adapters/theme/drawer.ts').then(
        ({ toggleDrawer }) => toggleDrawer(drawer, link),
        () => isLink && goTo(link.href),
      )
    } else if (isLink && !toggleTarget) {
      event.preventDefault()
      swap(link.href, link.matches(listingHooks.pageLink))
    }
  })
  listen(document, 'submit', (event) => {
    const form = closestTo(event, listingHooks.swapForm)
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
    event.preventDefault()
    const url = new URL(form.action)
    // A form's fields are texts here, and one left empty says nothing.
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value))
    swap(url.href, false)
  })
  // The list may have been swapped in a document before this one: pages that are left and come back to are loaded anew.
  addEventListener('popstate', ({ state }) => {
    if (state?.listing)
      import('./adapters/catalog/listing-swap.ts').then(({ returnToListing }) => returnToListing(state), reloadPage)
  })
  const field = document.querySelector<HTMLInputElement>(searchHooks.field)
  field?.addEventListener(
    'focus',
    () =>
      void import('./adapters/catalog/search-suggestions.ts').then(({ startSuggestions }) => startSuggestions(field)),
    { once: true },
  )
}

function swap(address: string, turned: boolean): void {
  import('./adapters/catalog/listing-swap.ts').then(
    ({ swapListing }) => swapListing(address, turned),
    () => goTo(address),
  )
}
