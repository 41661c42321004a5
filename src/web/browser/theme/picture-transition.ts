import { listingHooks } from '#contract/hooks.ts'
import { allOf } from '../elements.ts'

const name = 'product-picture'

/** What the browsers that flow from page to page tell of the page that comes. */
type PageSwap = Event & {
  readonly viewTransition: object | null
  readonly activation: { readonly entry: { readonly url: string | null } } | null
}

/** The picture of the product that is gone to is the one that grows into the product's page, and shrinks back from it. */
export function startPictureTransition(): void {
  addEventListener('pageswap', (event) => {
    // Proof of the cast: no other event has this name.
    const { viewTransition, activation } = event as PageSwap
    if (viewTransition && activation?.entry.url) nameThePicture(activation.entry.url)
  })
}

function nameThePicture(url: string): void {
  const links = allOf<HTMLAnchorElement>(`${listingHooks.products} a`).filter(
    (link) => link.href === url && link.querySelector('.picture') !== null,
  )
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
