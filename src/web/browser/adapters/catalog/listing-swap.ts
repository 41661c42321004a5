import { swapHooks } from '#contract/catalog/listing-hooks.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { settingsElementId } from '#contract/shared/browser-settings.ts'
import { companionEvents } from '#contract/shared/events.ts'
import { listingHooks } from '#contract/shared/hooks.ts'
import { languageHooks } from '#contract/translation/language-hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { announce, clearLiveRegion } from '../../runtime/live-region.ts'
import { morph } from '../../runtime/morph.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isRecord, parseJson, request } from '../../runtime/request.ts'
import { parsePage } from '../../runtime/trusted-markup.ts'
import { connectedSettings } from '../payments/payment-settings.ts'

/**
 * Swaps the listing for another page, order or filter without a page load. URL, title and history match those of a real
 * navigation; every failure becomes a real navigation.
 */

/** `scrollY`: the scroll position when the list was swapped; if undefined, the browser restores the position. */
type Place = { listing: true; scrollY?: number }

export type ListingSwap = {
  /** Opens a page of the same listing. @param turned the page is another page of the list, and starts at its top */
  open(address: string, turned: boolean): Promise<void>
  /** Shows the listing of the URL after a history navigation; the current document may be older or newer than it. */
  comeBack(state: unknown): Promise<void>
}

/** Creates the swap of a page: a later request supersedes an earlier one. */
export function createListingSwap(): ListingSwap {
  let loading: AbortController | undefined
  const swap = (address: string) => {
    loading?.abort()
    loading = new AbortController()
    return swapListing(address, loading.signal)
  }
  return {
    async open(address, turned) {
      history.replaceState({ listing: true, scrollY } satisfies Place, '')
      const url = await swap(address)
      if (!url) return
      history.pushState({ listing: true } satisfies Place, '', url)
      moveFocus(turned)
    },
    async comeBack(state) {
      if (!isPlace(state) || !(await swap(location.href))) return
      if (state.scrollY !== undefined) scrollTo({ top: state.scrollY, behavior: 'instant' })
    },
  }
}

/** @returns the URL of the response; undefined when the swap was aborted or became a navigation */
async function swapListing(address: string, signal: AbortSignal): Promise<string | undefined> {
  const listing = document.querySelector(swapHooks.listing)
  listing?.setAttribute('aria-busy', 'true')
  try {
    const { ok, text, url } = await request(address, { signal, headers: { Accept: 'text/html' } })
    if (signal.aborted) return undefined
    const page = parsePage(text)
    const next = page.querySelector(swapHooks.listing)
    if (!ok || !listing?.isConnected || !next) throw new Error(`${address} is no listing`)
    takeListedProducts(page)
    takeLanguages(page)
    show(listing, next)
    document.title = page.title
    const canonical = page.querySelector('link[rel=canonical]')
    if (canonical) document.querySelector('link[rel=canonical]')?.replaceWith(document.adoptNode(canonical))
    document.body.dataset.productIds = page.body.dataset.productIds ?? ''
    return url
  } catch {
    // Superseded by a newer request, or possible only as a full navigation.
    if (!signal.aborted) goTo(address)
    return undefined
  }
}

/**
 * Morphs the frame, so that focus, an open drawer and collapsed sections stay. Cards are replaced whole: a card in both
 * lists keeps its image and its button state, and no card turns into another product.
 */
function show(listing: Element, next: Element): void {
  const count = listing.querySelector(listingHooks.resultCount)
  const countBefore = count?.textContent
  const cards = cardsOf(next)
  const before = new Map(cardsOf(listing).map((card) => [productOf(card), card]))
  for (const card of [...cards, ...before.values()]) card.remove()
  morph(listing, next, { keepTyped: false })
  listing.removeAttribute('aria-busy')
  listing.querySelector(listingHooks.products)?.append(
    ...cards.map((card) => {
      const kept = before.get(productOf(card))
      if (kept) kept.className = card.className
      return kept ?? document.adoptNode(card)
    }),
  )
  announceCount(listing, count, countBefore)
  document.body.dispatchEvent(new CustomEvent(companionEvents.listRendered, { bubbles: true, detail: {} }))
}

/** Updates the payment settings to the products in the list. */
function takeListedProducts(page: Document): void {
  const wanted = connectedSettings()?.payLaterMessage
  const printed = parseJson(page.getElementById(settingsElementId)?.textContent ?? '')
  // Proof of the cast: the shop prints its settings in the same form on every page of a listing.
  const listed = isRecord(printed) ? (printed.wcPPCPSettings as PaymentSettings | undefined) : undefined
  if (wanted && listed) wanted.shop.products = listed.payLaterMessage.shop.products
}

/** Updates the language links to the listing that is shown. */
function takeLanguages(page: Document): void {
  const links = allOf<HTMLAnchorElement>(languageHooks.link, page)
  for (const link of allOf<HTMLAnchorElement>(languageHooks.link)) {
    const now = links.find(({ hreflang }) => hreflang === link.hreflang)?.getAttribute('href')
    if (now) link.setAttribute('href', now)
  }
}

/** Announces a changed count; a new live region is read by itself. */
function announceCount(listing: Element, count: Element | null, before: string | null | undefined): void {
  clearLiveRegion()
  const now = listing.querySelector(listingHooks.resultCount)
  if (now && now === count && now.textContent !== before) return
  announce((now ?? listing.querySelector(swapHooks.nothingFound))?.textContent ?? undefined)
}

/** Sets focus and scroll position: unchanged, unless the element is gone or the visitor turned the page. */
function moveFocus(turned: boolean): void {
  const results = document.querySelector<HTMLElement>(swapHooks.results)
  if (!results) return
  const { activeElement } = document
  if (turned || !activeElement || activeElement === document.body) results.focus({ preventScroll: true })
  // Under an open drawer the list is not visible yet.
  if (results.getBoundingClientRect().top < 0) results.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function isPlace(state: unknown): state is Place {
  return typeof state === 'object' && state !== null && 'listing' in state
}

function cardsOf(root: Element): Element[] {
  return [...root.querySelectorAll(`${listingHooks.products} > .product`)]
}

function productOf(card: Element): string | undefined {
  return [...card.classList].find((name) => /^post-\d+$/.test(name))
}
