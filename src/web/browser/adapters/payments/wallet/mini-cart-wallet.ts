import { walletHooks } from '#contract/payments/constants.ts'
import { cartEvents } from '#contract/shared/events.ts'
import { addedAttribute, miniCartHooks } from '#contract/shared/hooks.ts'
import { cartHasItems } from '../../../runtime/cookies.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen } from '../../../runtime/events.ts'
import { refreshCartData } from '../cart-data.ts'

const attempts = 10
const attemptEveryMs = 500
/** Several responses about the cart may arrive in a row. */
const settledAfterMs = 250

/**
 * Keeps the wallet's buttons in the mini cart. Its markup comes with the cart's fragments from the server; the
 * placeholder belongs to this script, and survives their replacement.
 */
export function startMiniCartWallet(): void {
  let retry: ReturnType<typeof setTimeout> | undefined
  function tryToPlace(left: number): void {
    clearTimeout(retry)
    if (miniCartSeen()) void refreshCartData()
    const template = document.getElementById(walletHooks.miniCartTemplateId)
    if (!(template instanceof HTMLTemplateElement)) return
    place(template)
    const placed = document.querySelector(`.${walletHooks.miniCartPlaceClass}`)
    // An empty cart has no place for buttons, and an event announces its first item.
    if (!placed && left > 1 && cartHasItems()) retry = setTimeout(() => tryToPlace(left - 1), attemptEveryMs)
  }
  onFragments(() => tryToPlace(attempts))
  tryToPlace(attempts)
}

/** Calls `changed` once the cart's fragments have changed. */
export function onFragments(changed: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  for (const event of [cartEvents.fragmentsLoaded, cartEvents.fragmentsRefreshed]) {
    listen(document.body, event, () => {
      clearEmptied()
      clearTimeout(timer)
      timer = setTimeout(changed, settledAfterMs)
    })
  }
}

/**
 * Removes the buttons and messages of an emptied mini cart. Morphing may reuse their paragraph in a cart without
 * products, where there is nothing to pay.
 */
function clearEmptied(): void {
  for (const content of allOf(miniCartHooks.content)) {
    if (content.querySelector(walletHooks.miniCartButtons)) continue
    for (const added of allOf(`[${addedAttribute}]`, content)) added.remove()
  }
}

/** Returns true if the mini cart is open and visible. */
export function miniCartSeen(): boolean {
  return allOf(miniCartHooks.content).some((content) => content.checkVisibility())
}

function place(template: HTMLTemplateElement): void {
  for (const buttons of allOf(walletHooks.miniCartButtons)) {
    if (buttons.querySelector(`.${walletHooks.miniCartPlaceClass}`)) continue
    // A link without `href` is a placeholder: extensions look for a link here.
    const place = document.createElement('a')
    place.className = `wc-ppcp-wallet__place ${walletHooks.miniCartPlaceClass}`
    place.toggleAttribute(addedAttribute, true)
    if (!document.getElementById(walletHooks.miniCartContainerId)) place.id = walletHooks.miniCartContainerId
    place.append(document.importNode(template.content, true))
    const terms = place.querySelector(`.${walletHooks.termsClass}`)
    terms?.toggleAttribute(addedAttribute, true)
    // The link to the terms stands beside the placeholder: screen readers do not support nested links.
    buttons.append(...(terms ? [terms] : []), place)
  }
}
