import { checkoutEvents } from '#contract/checkout/events.ts'
import { walletEvents } from '#contract/payments/constants.ts'
import { cartEvents } from '#contract/shared/events.ts'
import { miniCartHooks } from '#contract/shared/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { isBlocked } from '../../runtime/overlay.ts'

const walletAtWork = '.wc-ppcp-wallet[data-phase]:not([data-phase=idle])'

/**
 * Has the totals worked out anew when other products or quantities have come into the cart: from another tab, by the mini
 * cart of this page, or while the browser kept it in its memory. Each of these brings the mini cart up to date, and what
 * does not change its lines costs nothing. The lines alone count: totals hang on the address and the shipping of each tab
 * as well, and two tabs would follow one another for ever.
 */
export function followCart(form: HTMLFormElement): void {
  let followed: string | undefined
  const look = () => {
    const lines = cartLines()
    // Nothing known yet, or nothing left: another tab may have placed the order, which a press on this one's button tells.
    if (lines === '' || lines === followed) return
    const first = followed === undefined
    // Nobody sees it, or somebody pays what stands there: the shop compares the two.
    if (!first && (document.hidden || isBlocked(form) || document.querySelector(walletAtWork))) return
    followed = lines
    if (!first) trigger(document.body, checkoutEvents.update)
  }
  // The mini cart may have come before this script.
  look()
  for (const event of [cartEvents.fragmentsLoaded, cartEvents.fragmentsRefreshed, checkoutEvents.error])
    listen(document.body, event, look)
  // It is told before the attempt has ended.
  listen(document.body, walletEvents.cancel, () => void setTimeout(look))
  document.addEventListener('visibilitychange', look)
}

/** Key and quantity of each line, as the mini cart has them: `1c2e 2 …` */
function cartLines(): string {
  const content = document.querySelector(miniCartHooks.content) ?? document.createElement('div')
  return allOf('li:has([data-cart_item_key])', content)
    .flatMap((line) => [
      line.querySelector<HTMLElement>('[data-cart_item_key]')?.dataset.cart_item_key,
      Number.parseInt(line.querySelector('.quantity')?.textContent ?? '', 10),
    ])
    .join(' ')
}
