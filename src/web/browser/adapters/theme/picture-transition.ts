import { listingHooks } from '#contract/shared/hooks.ts'
import { allOf } from '../../runtime/elements.ts'

const name = 'product-picture'

/** The view transition events of browsers that support cross-document transitions. */
type PageSwap = Event & {
  readonly viewTransition: { readonly ready: Promise<void>; skipTransition(): void } | null
  readonly activation: { readonly entry: { readonly url: string | null } } | null
}

/** Names the image of the opened product for the view transition, in both directions. */
export function startPictureTransition(): void {
  addEventListener('pageswap', (event) => {
    // Proof of the cast: no other event has this name.
    const { viewTransition, activation } = event as PageSwap
    if (!viewTransition) return
    // The navigation was stopped or replaced: nothing has failed.
    viewTransition.ready.catch(() => {})
    const url = activation?.entry.url
    const links = url ? productLinks(url) : []
    if (links.length > 0 || (url && takesPart(new URL(url)))) nameThePicture(links)
    // Without the stylesheet there the browser would start, and report an uncaught error on the new page.
    else viewTransition.skipTransition()
  })
}

/** The path below the language, for lists and products. */
const lookingAround = /\/(?:shop|product|product-category|product-tag)\//

/**
 * Returns true if the page of a URL includes `transitions.css`, as far as its path shows: front page, search, lists,
 * products. With the merchant's own slugs only the page of a product image is known.
 */
function takesPart({ pathname }: URL): boolean {
  const front = document.querySelector<HTMLAnchorElement>('a[rel=home]')
  return pathname === front?.pathname || lookingAround.test(pathname)
}

function productLinks(url: string): HTMLAnchorElement[] {
  return allOf<HTMLAnchorElement>(`${listingHooks.products} a`).filter(
    (link) => link.href === url && link.querySelector('.picture') !== null,
  )
}

function nameThePicture(links: readonly HTMLAnchorElement[]): void {
  const shown = links.find(isOnScreen)
  if (!shown) return
  // A duplicate name disables the whole transition: the page's own large image gives up its name.
  for (const picture of allOf('.picture'))
    picture.style.viewTransitionName = picture === shown.querySelector('.picture') ? name : 'none'
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
