import { cartEvents } from '#contract/shared/events.ts'
import { miniCartHooks } from '#contract/shared/hooks.ts'
import { cartHasItems } from '../../runtime/cookies.ts'
import { closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'
import { parseCartAnswer } from '../../runtime/fragments.ts'
import { clearLiveRegion } from '../../runtime/live-region.ts'
import { goTo } from '../../runtime/navigate.ts'
import { block, unblock } from '../../runtime/overlay.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import type { CartQueue } from './serial-queue.ts'

/** Starts the mini cart: removes lines, and hides a widget without content. */
export function startMiniCart(enqueue: CartQueue): void {
  listen(document, 'click', (event) => onClick(event, enqueue))
  showWidgets(cartHasItems())
  listen(document.body, cartEvents.adding, () => showWidgets(true))
}

function onClick(event: ShopEvent, enqueue: CartQueue): void {
  const link = closestTo(event, miniCartHooks.remove)
  const key = link?.dataset.cart_item_key
  if (!(link instanceof HTMLAnchorElement) || !key || !isPlainClick(event)) return
  event.preventDefault()
  clearLiveRegion()
  const item = link.closest<HTMLElement>(miniCartHooks.item)
  if (item) block(item)
  void enqueue(() => remove(link, key))
}

async function remove(link: HTMLAnchorElement, key: string): Promise<void> {
  const { wc_ajax_url } = settings('wc_add_to_cart_params')
  const place = placeOf(link)
  const answer = await postForm(ajaxUrl(wc_ajax_url, 'remove_from_cart'), { cart_item_key: key }).catch(() => undefined)
  const cart = answer?.ok ? parseCartAnswer(answer.text) : undefined
  if (!cart) {
    const item = link.closest<HTMLElement>(miniCartHooks.item)
    if (!goTo(link.href) && item) unblock(item)
    return
  }
  const loaded = listen(document.body, cartEvents.fragmentsLoaded, () => {
    loaded()
    place.focusNext()
  })
  trigger(document.body, cartEvents.removed, cart.fragments, cart.cartHash, link)
}

/** Returns the keyboard focus target: the line that moved up, or the list when the last line was removed. */
function placeOf(link: HTMLElement): { focusNext(): void } {
  const content = link.closest(miniCartHooks.content)
  const index = content ? [...content.querySelectorAll(miniCartHooks.remove)].indexOf(link) : -1
  const parent = content?.parentElement
  return {
    focusNext() {
      if (document.activeElement !== document.body || !parent) return
      const links = parent.querySelectorAll<HTMLElement>(miniCartHooks.remove)
      const list = parent.querySelector<HTMLElement>(miniCartHooks.content)
      const next = links[Math.min(index, links.length - 1)] ?? list
      if (next === list) list?.setAttribute('tabindex', '-1')
      next?.focus({ preventScroll: true })
    },
  }
}

function showWidgets(shown: boolean): void {
  for (const mark of document.querySelectorAll(miniCartHooks.hideIfEmpty)) {
    const widget = mark.closest<HTMLElement>(miniCartHooks.widget)
    if (widget) widget.hidden = !shown
  }
}
