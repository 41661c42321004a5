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
 * Another page, order or narrowing of the listing in place of the one shown, without loading the page anew. The address, the
 * title and the way back are those of a real visit; whatever does not go as planned becomes one.
 */

/** `scrollY`: where the visitor was when the list was swapped for another; unknown, the browser's own memory must do. */
type Place = { listing: true; scrollY?: number }

let loading: AbortController | undefined

/** Goes to a page of the same listing. @param turned the page is another one of the list, so it is read from its top */
export async function swapListing(address: string, turned: boolean): Promise<void> {
  history.replaceState({ listing: true, scrollY } satisfies Place, '')
  const url = await swap(address)
  if (!url) return
  history.pushState({ listing: true } satisfies Place, '', url)
  lead(turned)
}

/** Shows what the address says, which somebody has come back to within a document that may be younger than it. */
export async function returnToListing(state: unknown): Promise<void> {
  if (!isPlace(state) || !(await swap(location.href))) return
  if (state.scrollY !== undefined) scrollTo({ top: state.scrollY, behavior: 'instant' })
}

/** @returns the address that the answer came from; undefined when this one was given up, or became a visit */
async function swap(address: string): Promise<string | undefined> {
  loading?.abort()
  loading = new AbortController()
  const { signal } = loading
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
    // Not the newest wish, or one that only a whole visit can fulfil.
    if (!signal.aborted) goTo(address)
    return undefined
  }
}

/**
 * The frame is changed where it differs, so that focus, an open drawer and folds stay. Cards are exchanged whole: one that
 * both have stays as it is, with its picture and what its button says, and no other becomes a product that it was not.
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
  tell(listing, count, countBefore)
  document.body.dispatchEvent(new CustomEvent(companionEvents.listRendered, { bubbles: true, detail: {} }))
}

/** What the payment settings say of the products in the list. */
function takeListedProducts(page: Document): void {
  const wanted = connectedSettings()?.payLaterMessage
  const printed = parseJson(page.getElementById(settingsElementId)?.textContent ?? '')
  // Proof of the cast: the shop prints its settings on every page of a listing alike.
  const listed = isRecord(printed) ? (printed.wcPPCPSettings as PaymentSettings | undefined) : undefined
  if (wanted && listed) wanted.shop.products = listed.payLaterMessage.shop.products
}

/** The ways to the other languages lead to what is shown now. */
function takeLanguages(page: Document): void {
  const links = allOf<HTMLAnchorElement>(languageHooks.link, page)
  for (const link of allOf<HTMLAnchorElement>(languageHooks.link)) {
    const now = links.find(({ hreflang }) => hreflang === link.hreflang)?.getAttribute('href')
    if (now) link.setAttribute('href', now)
  }
}

/** A count that was there and now says something else is heard by itself. */
function tell(listing: Element, count: Element | null, before: string | null | undefined): void {
  clearLiveRegion()
  const now = listing.querySelector(listingHooks.resultCount)
  if (now && now === count && now.textContent !== before) return
  announce((now ?? listing.querySelector(swapHooks.nothingFound))?.textContent ?? undefined)
}

/** Where the visitor goes on: where they were, unless that is gone or they turned the page. */
function lead(turned: boolean): void {
  const results = document.querySelector<HTMLElement>(swapHooks.results)
  if (!results) return
  const { activeElement } = document
  if (turned || !activeElement || activeElement === document.body) results.focus({ preventScroll: true })
  // Under an open drawer the list is looked at later.
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
