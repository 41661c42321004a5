import { cartEvents, cartPageEvents } from '#contract/shared/events.ts'
import { fragmentHooks, miniCartHooks } from '#contract/shared/hooks.ts'
import { cartHashCookie, cartHasItems } from './cookies.ts'
import { listen, trigger } from './events.ts'
import { firstUserActivity } from './island-element.ts'
import { block, unblock } from './overlay.ts'
import { replaceMarkup } from './replace-markup.ts'
import { isRecord, parseJson, postForm } from './request.ts'
import { ajaxUrl, settings } from './settings.ts'

/** Cart markup of a response, by selector. */
export type Fragments = Readonly<Record<string, string>>
export type CartAnswer = { fragments: Fragments; cartHash: string }

type Stores = { session: Storage; local: Storage }

const dayMs = 24 * 60 * 60 * 1000
const createdKey = 'wc_cart_created'

/** @returns undefined when the text holds no fragments. */
export function parseCartAnswer(text: string): CartAnswer | undefined {
  const answer = parseJson(text)
  if (!isRecord(answer)) return undefined
  const fragments = asFragments(answer.fragments)
  return fragments && { fragments, cartHash: String(answer.cart_hash ?? '') }
}

/** Keeps the cart's fragments on the page up to date, from the visitor's store while it is valid. */
export function startFragments(): void {
  let opened: { stores: Stores | undefined } | undefined
  let refetch: AbortController | undefined
  let dailyRefetch: ReturnType<typeof setTimeout> | undefined
  /** Replacements run in sequence: a later response must win over an earlier one. */
  let applied: Promise<void> = Promise.resolve()

  // The first access to either store waits for the browser's disk: it is avoided while a page loads, unless there is a
  // cart.
  const stores = () => {
    opened ??= { stores: openStores() }
    return opened.stores
  }

  function apply(fragments: Fragments, marked: boolean): Promise<void> {
    applied = applied.then(() => replaceAll(fragments, marked)).catch((error) => console.error('fragments', error))
    return applied
  }

  function armDailyRefetch(createdAt: number): void {
    clearTimeout(dailyRefetch)
    if (stores()) dailyRefetch = setTimeout(() => void refresh(), Math.max(0, createdAt + dayMs - Date.now()))
  }

  async function refresh(): Promise<void> {
    refetch?.abort()
    refetch = new AbortController()
    const { signal } = refetch
    try {
      const cart = await fetchCart(signal)
      if (signal.aborted) return
      store(stores(), cart)
      await apply(cart.fragments, false)
      trigger(document.body, cartEvents.fragmentsRefreshed)
      armDailyRefetch(Date.now())
    } catch {
      // A newer response or request superseded this one. Otherwise the page stays unchanged, and listeners are notified.
      if (!signal.aborted) trigger(document.body, cartEvents.fragmentsFailed)
    }
  }

  /** Shows the response to an add or a remove, which is newer than any refetch in progress. */
  async function showChange(cart: CartAnswer): Promise<void> {
    refetch?.abort()
    store(stores(), cart)
    await apply(cart.fragments, true)
    trigger(document.body, cartEvents.fragmentsLoaded)
  }

  function showOnLoad(): void {
    if (hasWallet()) {
      // The payment buttons need the server's current cart.
      stores()?.session.removeItem(storeNames().fragments)
      trigger(document.body, cartEvents.refreshFragments)
      return
    }
    const found = stores()
    const cached = found && cachedFragments(found)
    if (!cached) {
      void refresh()
      return
    }
    void apply(cached.fragments, false).then(() => trigger(document.body, cartEvents.fragmentsLoaded))
    armDailyRefetch(cached.createdAt)
  }

  // A page view sends no request for a known empty cart; later refresh events always do.
  let loading = true
  listen(document.body, cartEvents.refreshFragments, () => {
    if (!loading || cartHasItems()) void refresh()
  })
  listen(document.body, cartPageEvents.replaced, () => void refresh())
  for (const event of [cartEvents.added, cartEvents.removed]) {
    listen(document.body, event, (_, fragments, cartHash) => {
      const answer = asFragments(fragments)
      if (answer) void showChange({ fragments: answer, cartHash: String(cartHash ?? '') })
    })
  }
  // Another tab may have changed the cart.
  addEventListener('storage', ({ key }) => {
    const { hash } = storeNames()
    if (key !== hash) return
    const found = stores()
    if (found && found.local.getItem(hash) !== found.session.getItem(hash)) void refresh()
  })
  if (cartHasItems()) {
    showOnLoad()
  } else {
    void firstUserActivity().then(() => {
      if (!cartHasItems()) clearStores(stores())
    })
    // Other scripts may listen; no request is sent.
    if (hasWallet()) trigger(document.body, cartEvents.refreshFragments)
    // Some scripts start on this event; they listen by now, and the printed empty cart is correct.
    void pageLoaded().then(() => {
      if (!cartHasItems()) trigger(document.body, cartEvents.fragmentsLoaded)
    })
  }
  loading = false
}

const pageLoaded = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'complete') resolve(undefined)
    else addEventListener('load', resolve)
  })

const hasWallet = () => Object.hasOwn(window, 'wcPPCPSettings')

/** Removes data of an earlier cart. */
function clearStores(stores: Stores | undefined): void {
  const names = storeNames()
  stores?.session.removeItem(names.fragments)
  stores?.session.removeItem(names.hash)
}

/** Returns the stored fragments if they match the cart cookie and are from today. */
function cachedFragments({ session }: Stores): { fragments: Fragments; createdAt: number } | undefined {
  const names = storeNames()
  const fragments = asFragments(parseJson(session.getItem(names.fragments) ?? ''))
  const hash = session.getItem(names.hash) ?? ''
  const createdAt = Number(session.getItem(createdKey) ?? 0)
  const current = hash === cartHashCookie() && (hash === '' || (createdAt > 0 && Date.now() - createdAt < dayMs))
  return fragments && Object.hasOwn(fragments, miniCartHooks.fragment) && current ? { fragments, createdAt } : undefined
}

/** Returns the server's current cart. @throws without a response, or for one without fragments */
export async function fetchCart(signal?: AbortSignal): Promise<CartAnswer> {
  const { wc_ajax_url, request_timeout } = settings('wc_cart_fragments_params')
  const answer = await postForm(
    ajaxUrl(wc_ajax_url, 'get_refreshed_fragments'),
    { time: Date.now() },
    { timeoutMs: Number(request_timeout) || 5000, ...(signal ? { signal } : {}) },
  )
  const cart = parseCartAnswer(answer.text)
  if (!cart) throw new Error('the answer holds no fragments')
  return cart
}

function store(stores: Stores | undefined, { fragments, cartHash }: CartAnswer): void {
  if (!stores) return
  const names = storeNames()
  try {
    stores.session.setItem(createdKey, String(Date.now()))
    stores.session.setItem(names.fragments, JSON.stringify(fragments))
    stores.session.setItem(names.hash, cartHash)
    stores.local.setItem(names.hash, cartHash)
  } catch {
    // Storage is full: the page still shows this cart, and the next page must not show an older one.
    clearStores(stores)
  }
}

/** Replaces the elements of each fragment's selector; `marked` shows a loading state there. */
async function replaceAll(fragments: Fragments, marked: boolean): Promise<void> {
  const places = Object.entries(fragments).flatMap(([selector, markup]) =>
    elementsOf(selector).map((element) => ({ element, markup })),
  )
  if (marked) {
    for (const { element } of places) {
      element.classList.add(fragmentHooks.updatingClass)
      element.style.opacity = '0.6'
      block(element)
    }
  }
  for (const { element, markup } of places) {
    await replaceMarkup(element, markup)
    if (!marked) continue
    element.classList.remove(fragmentHooks.updatingClass)
    element.style.removeProperty('opacity')
    unblock(element)
  }
}

function elementsOf(selector: string): HTMLElement[] {
  try {
    return [...document.querySelectorAll<HTMLElement>(selector)]
  } catch (error) {
    console.error(`a fragment for ${selector}, which is no selector`, error)
    return []
  }
}

export function storeNames(): { fragments: string; hash: string } {
  const { fragment_name, cart_hash_key } = settings('wc_cart_fragments_params')
  return { fragments: fragment_name ?? 'wc_fragments', hash: cart_hash_key ?? 'wc_cart_hash' }
}

/** Returns the two stores, or undefined where the browser blocks storage. */
export function openStores(): Stores | undefined {
  try {
    for (const storage of [sessionStorage, localStorage]) {
      storage.setItem('wc', 'test')
      storage.removeItem('wc')
    }
    return { session: sessionStorage, local: localStorage }
  } catch {
    return undefined
  }
}

function asFragments(value: unknown): Fragments | undefined {
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
