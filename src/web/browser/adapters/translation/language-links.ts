import { languageHooks } from '#contract/translation/language-hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { storeLanguageChoice } from './language-choice.ts'
import { startLanguageOffer } from './language-offer.ts'

/**
 * The ways to a page's other languages. They are links, and lists that open by themselves; added here: what the address of the
 * moment holds goes along, the choice is remembered, and the lists close as lists do.
 */
export function startLanguages(): void {
  document.addEventListener('click', follow)
  // The middle button opens a tab, and says as much of what somebody reads.
  document.addEventListener('auxclick', follow)
  startClosing()
  startLanguageOffer()
}

/** What a link of the shop changes something by is not done twice. */
const changing = /^(?:add-to-cart|added-to-cart|remove_item|undo_item|removed_item|order_again|remove_coupon|_wpnonce)$/

function follow(event: MouseEvent): void {
  const link = closestTo(event, languageHooks.link)
  if (!(link instanceof HTMLAnchorElement)) return
  const url = new URL(link.href)
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!url.searchParams.has(name) && !changing.test(name)) url.searchParams.append(name, value)
  }
  url.hash = location.hash
  link.href = url.href
  storeLanguageChoice(link.hreflang)
  forgetFragments()
}

/** Escape closes an open list and leads back to its button; so do a press elsewhere, and the focus going elsewhere. */
function startClosing(): void {
  const open = () => allOf<HTMLDetailsElement>(`${languageHooks.menu}[open]`)
  const closeBut = (target: EventTarget | null) => {
    for (const menu of open()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }
  document.addEventListener('pointerdown', ({ target }) => closeBut(target))
  document.addEventListener('focusin', ({ target }) => closeBut(target))
  document.addEventListener(
    'keydown',
    (event) => {
      const [menu] = open()
      if (event.key !== 'Escape' || event.defaultPrevented || !menu || document.querySelector('dialog[open]')) return
      event.preventDefault()
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus({ preventScroll: true })
      menu.open = false
    },
    { capture: true },
  )
  // The page may be come back to as it was left.
  addEventListener('pagehide', () => closeBut(null))
}
