import { cartEvents, companionEvents } from '#contract/shared/events.ts'
import { listingHooks } from '#contract/shared/hooks.ts'
import { cartHashCookie } from '../../runtime/cookies.ts'
import { closestTo } from '../../runtime/elements.ts'
import { listen, pageJQuery, type ShopEvent, trigger, triggerHandler } from '../../runtime/events.ts'
import { fetchCart, parseCartAnswer } from '../../runtime/fragments.ts'
import { announce, clearLiveRegion } from '../../runtime/live-region.ts'
import { goTo, goToWhenOnline } from '../../runtime/navigate.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { type FormFields, isRecord, parseJson, postForm, RequestFailed } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { waitForPaint } from '../../runtime/wait-for-paint.ts'
import type { CartQueue } from './serial-queue.ts'

/** Adds products from a listing: sends the button's data to the server and inserts the fragments of the response. */
export function startAddToCart(enqueue: CartQueue): void {
  listen(document, 'click', (event) => onClick(event, enqueue))
  listen(document.body, cartEvents.notSent, (_, _first, _second, button) => {
    if (button instanceof HTMLElement) showIdle(button)
  })
  listen(document.body, cartEvents.added, (_, fragments, _cartHash, button) => {
    if (button instanceof HTMLElement) showAdded(button, Boolean(fragments))
    companion(companionEvents.added)
  })
  listen(document.body, cartEvents.adding, () => companion(companionEvents.adding))
  listen(document.body, cartEvents.removed, () => companion(companionEvents.removed))
}

/** Live region announcements run after the fragments: their listener is bound later. */
export function startAnnouncements(): void {
  for (const event of [cartEvents.added, cartEvents.removed]) {
    listen(document.body, event, (_, _fragments, _cartHash, button) => {
      if (button instanceof HTMLElement) announce(button.dataset.success_message)
    })
  }
}

function onClick(event: ShopEvent, enqueue: CartQueue): void {
  const button = closestTo(event, listingHooks.addButton)
  if (!button?.classList.contains(listingHooks.ajaxClass) || !button.dataset.product_id) return
  if (!isPlainClick(event)) return
  event.preventDefault()
  // A second press before the response is accidental, not a second item.
  if (button.classList.contains(listingHooks.loadingClass)) return

  button.classList.remove(listingHooks.addedClass)
  button.classList.add(listingHooks.loadingClass)
  button.setAttribute('aria-busy', 'true')
  if (!triggerHandler(document.body, cartEvents.shouldSend, button)) {
    trigger(document.body, cartEvents.notSent, false, false, button)
    return
  }
  const data = dataOf(button)
  trigger(document.body, cartEvents.adding, button, data)
  // Invisible work waits until the browser has painted the button's response to the press.
  void waitForPaint().then(() => {
    clearLiveRegion()
    return enqueue(() => add(button, data))
  })
}

async function add(button: HTMLElement, data: FormFields): Promise<void> {
  const { wc_ajax_url, cart_redirect_after_add, cart_url } = settings('wc_add_to_cart_params')
  const cartBefore = cartHashCookie()
  try {
    const { ok, text } = await postForm(ajaxUrl(wc_ajax_url, 'add_to_cart'), data)
    if (!ok) throw new RequestFailed('add_to_cart was not answered')
    const answer = parseJson(text)
    if (!isRecord(answer)) {
      showIdle(button)
      return
    }
    if (answer.error && typeof answer.product_url === 'string') {
      goToWhenOnline(answer.product_url)
    } else if (cart_redirect_after_add === 'yes' && cart_url) {
      goToWhenOnline(cart_url)
    } else {
      const cart = parseCartAnswer(text)
      trigger(document.body, cartEvents.added, cart?.fragments, cart?.cartHash ?? '', button)
    }
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    const cart = await fetchCart().catch(() => undefined)
    if (cart && cart.cartHash !== cartBefore) {
      // Only the response was lost: a second request would add the product twice.
      trigger(document.body, cartEvents.added, cart.fragments, cart.cartHash, button)
      return
    }
    // Falls back to the link, which works without scripts.
    showIdle(button)
    if (button instanceof HTMLAnchorElement) goTo(button.href)
  }
}

function showIdle(button: HTMLElement): void {
  button.classList.remove(listingHooks.loadingClass)
  button.removeAttribute('aria-busy')
}

function showAdded(button: HTMLElement, changed: boolean): void {
  showIdle(button)
  if (changed) button.classList.add(listingHooks.addedClass)
  const { is_cart, cart_url, i18n_view_cart } = settings('wc_add_to_cart_params')
  const once = !button.parentElement?.querySelector(listingHooks.viewCart)
  if (changed && !is_cart && once && cart_url && i18n_view_cart) {
    const link = document.createElement('a')
    link.href = cart_url
    link.className = listingHooks.viewCartClass
    link.title = i18n_view_cart
    link.textContent = i18n_view_cart
    button.after(link)
  }
  trigger(document.body, cartEvents.buttonUpdated, button)
}

/** Returns all data attributes of the button; extensions may have stored more in jQuery. */
function dataOf(button: HTMLElement): Record<string, string | number | boolean> {
  const stored = pageJQuery()?.(button).data()
  const entries = Object.entries({ ...(isRecord(stored) ? stored : {}), ...button.dataset })
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number | boolean] => typeof entry[1] !== 'object'),
  )
}

function companion(name: string): void {
  const detail = { preserveCartData: false }
  document.body.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }))
}
