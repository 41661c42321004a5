import { walletHooks } from '#contract/payments/constants.ts'
import { cartEvents } from '#contract/shared/events.ts'
import { addedAttribute, miniCartHooks } from '#contract/shared/hooks.ts'
import { cartHasItems } from '../../../runtime/cookies.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen } from '../../../runtime/events.ts'
import { refreshCartData } from '../cart-data.ts'

const attempts = 10
const attemptEveryMs = 500
/** Several answers about the cart may follow one another. */
const settledAfterMs = 250

/**
 * Keeps the wallet's buttons among those of the mini cart. The markup there comes with the cart's fragments and belongs to
 * the server; the placeholder in it is ours, and stays when they come anew.
 */
export function startMiniCartWallet(): void {
  onFragments(() => tryToPlace(attempts))
  tryToPlace(attempts)
}

/** Calls once the cart's fragments have changed. */
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
 * What was put into a mini cart goes with the element that it stands in, but the paragraph of its buttons may have become
 * another of the cart without products: there is nothing to pay there, nor to tell of.
 */
function clearEmptied(): void {
  for (const content of allOf(miniCartHooks.content)) {
    if (content.querySelector(walletHooks.miniCartButtons)) continue
    for (const added of allOf(`[${addedAttribute}]`, content)) added.remove()
  }
}

/** Whether the shopper has the mini cart open before them. */
export function miniCartSeen(): boolean {
  return allOf(miniCartHooks.content).some((content) => content.checkVisibility())
}

let retry: ReturnType<typeof setTimeout> | undefined

function tryToPlace(left: number): void {
  clearTimeout(retry)
  if (miniCartSeen()) void refreshCartData()
  const template = document.getElementById(walletHooks.miniCartTemplateId)
  if (!(template instanceof HTMLTemplateElement)) return
  place(template)
  const placed = document.querySelector(`.${walletHooks.miniCartPlaceClass}`)
  // An empty cart has no buttons to stand among, and says so by an event when it gets some.
  if (!placed && left > 1 && cartHasItems()) retry = setTimeout(() => tryToPlace(left - 1), attemptEveryMs)
}

function place(template: HTMLTemplateElement): void {
  for (const buttons of allOf(walletHooks.miniCartButtons)) {
    if (buttons.querySelector(`.${walletHooks.miniCartPlaceClass}`)) continue
    // A link without an address is a placeholder: extensions look for a link here.
    const place = document.createElement('a')
    place.className = `wc-ppcp-wallet__place ${walletHooks.miniCartPlaceClass}`
    place.toggleAttribute(addedAttribute, true)
    if (!document.getElementById(walletHooks.miniCartContainerId)) place.id = walletHooks.miniCartContainerId
    place.append(document.importNode(template.content, true))
    const terms = place.querySelector(`.${walletHooks.termsClass}`)
    terms?.toggleAttribute(addedAttribute, true)
    // The link to the terms stands beside the placeholder: a link within a link is one to no screen reader.
    buttons.append(...(terms ? [terms] : []), place)
  }
}
