import { listingHooks } from '#contract/shared/hooks.ts'
import { allOf } from '../../runtime/elements.ts'

const name = 'product-picture'

/** What the browsers that flow from page to page tell of the page that comes. */
type PageSwap = Event & {
  readonly viewTransition: { readonly ready: Promise<void>; skipTransition(): void } | null
  readonly activation: { readonly entry: { readonly url: string | null } } | null
}

/** The picture of the product that is gone to is the one that grows into the product's page, and shrinks back from it. */
export function startPictureTransition(): void {
  addEventListener('pageswap', (event) => {
    // Proof of the cast: no other event has this name.
    const { viewTransition, activation } = event as PageSwap
    if (!viewTransition) return
    // Somebody stopped the page that was to come, or went elsewhere: nothing has failed.
    viewTransition.ready.catch(() => {})
    const url = activation?.entry.url
    const links = url ? productLinks(url) : []
    if (links.length > 0 || (url && takesPart(new URL(url)))) nameThePicture(links)
    // The browser would begin, find no such sheet there, and report an uncaught error in the page that has come.
    else viewTransition.skipTransition()
  })
}

/** Between a language and what is looked at: lists and products. */
const lookingAround = /\/(?:shop|product|product-category|product-tag)\//

/**
 * Whether the page of an address comes with `transitions.css`, as far as the address tells: front page, search, lists, products.
 * Where a merchant has other words for these, only what a product's picture leads to is known.
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
  // Two of a name, and the browser shows no transition at all: the page's own large picture gives its name away.
  for (const picture of allOf('.picture'))
    picture.style.viewTransitionName = picture === shown.querySelector('.picture') ? name : 'none'
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
