import { checkoutEvents } from '#contract/checkout/events.ts'
import { walletEvents } from '#contract/payments/constants.ts'
import { cartEvents } from '#contract/shared/events.ts'
import { miniCartHooks } from '#contract/shared/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { isBlocked } from '../../runtime/overlay.ts'
import { walletUnderWay } from '../payments/wallet/wallet-under-way.ts'

/**
 * Recalculates the totals when products or quantities in the cart have changed: in another tab, in the mini cart, or
 * while the page was in the back/forward cache. Each of these updates the mini cart, and an update with the same lines
 * costs nothing. Only the lines count: totals also depend on the address and shipping of each tab, and two tabs would
 * trigger each other forever.
 */
export function followCart(form: HTMLFormElement): void {
  let followed: string | undefined
  const look = () => {
    const lines = cartLines()
    // No known cart yet, or an empty one: another tab may have placed the order, which this tab's button reports.
    if (lines === '' || lines === followed) return
    const first = followed === undefined
    // The tab is hidden, or a payment of the shown total is in progress: the shop compares the two.
    if (!first && (document.hidden || isBlocked(form) || walletUnderWay())) return
    followed = lines
    if (!first) trigger(document.body, checkoutEvents.update)
  }
  // The mini cart may have loaded before this script.
  look()
  for (const event of [cartEvents.fragmentsLoaded, cartEvents.fragmentsRefreshed, checkoutEvents.error])
    listen(document.body, event, look)
  // The event fires before the attempt has ended.
  listen(document.body, walletEvents.cancel, () => void setTimeout(look))
  document.addEventListener('visibilitychange', look)
}

/** Key and quantity of each line, as in the mini cart: `1c2e 2 …` */
function cartLines(): string {
  const content = document.querySelector(miniCartHooks.content) ?? document.createElement('div')
  return allOf('li:has([data-cart_item_key])', content)
    .flatMap((line) => [
      line.querySelector<HTMLElement>('[data-cart_item_key]')?.dataset.cart_item_key,
      Number.parseInt(line.querySelector('.quantity')?.textContent ?? '', 10),
    ])
    .join(' ')
}
