import { languageHooks } from '#contract/translation/language-hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { type ListKeys, listKeys } from '../../runtime/list-keys.ts'
import { storeLanguageChoice } from './language-choice.ts'
import { startLanguageOffer } from './language-offer.ts'

/**
 * Starts the language links and lists. They work without scripts; this script adds the current query to links, stores
 * the choice, and closes the lists.
 */
export function startLanguages(): void {
  document.addEventListener('click', follow)
  // The middle button opens a tab and chooses the language too.
  document.addEventListener('auxclick', follow)
  startClosing()
  startLanguageOffer()
}

/** Parameters that change the shop's state must not be repeated. */
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

/** Closes an open list on Escape, with the focus on its button, and on a press or focus elsewhere. */
function startClosing(): void {
  const open = () => allOf<HTMLDetailsElement>(`${languageHooks.menu}[open]`)
  const closeBut = (target: EventTarget | null) => {
    for (const menu of open()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }
  document.addEventListener('pointerdown', ({ target }) => closeBut(target))
  document.addEventListener('focusin', ({ target }) => closeBut(target))
  const keys = listKeys()
  document.addEventListener('keydown', (event) => onListKey(keys, event))
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
  // The back/forward cache restores the page unchanged.
  addEventListener('pagehide', () => closeBut(null))
}

/** Keys move among the links of an open list as among options; the links stay in the tab order, and Enter follows them. */
function onListKey(keys: ListKeys, event: KeyboardEvent): void {
  const menu = closestTo(event, `${languageHooks.menu}[open]`)
  if (!menu || event.defaultPrevented) return
  const links = allOf('a[hreflang]', menu)
  const step = keys(event, {
    count: links.length,
    active: document.activeElement instanceof HTMLElement ? links.indexOf(document.activeElement) : -1,
    wordsOf: (place) => [links[place]?.textContent?.trim() ?? ''],
  })
  if (step === undefined || step === 'leave' || step === 'choose') return
  event.preventDefault()
  event.stopPropagation()
  const next = step === 'close' ? menu.querySelector('summary') : links[step]
  next?.focus({ preventScroll: true })
  if (step === 'close') menu.removeAttribute('open')
  else next?.scrollIntoView({ block: 'nearest' })
}
