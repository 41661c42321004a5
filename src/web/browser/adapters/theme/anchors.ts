import { anchorHooks } from '#contract/theme/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'

/**
 * Starts links within the page. The browser scrolls by the styles, smoothly and clear of the header. This script opens
 * hidden targets, and moves the focus.
 */

const initialAfterMs = 100
const knownHash = /^#[A-Za-z0-9_-]+$/

export function startAnchors(): void {
  document.addEventListener('click', (event) => {
    const link = closestTo(event, anchorHooks.link)
    if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event) || isOff() || isTab(link)) return
    const target = targetOf(link)
    if (!target) return
    openAncestors(target)
    const heard = new AbortController()
    const { signal } = heard
    // A visitor who has pressed Tab by then keeps the focus.
    addEventListener('keydown', () => heard.abort(), { signal, capture: true })
    // Runs after the browser has started to scroll: an earlier focus would jump.
    setTimeout(() => {
      if (!signal.aborted) focusOn(target)
      heard.abort()
    })
  })
  if (location.hash) scrollToHash(location.hash)
}

/** Scrolls to the URL's fragment again once the content above it has loaded. */
function scrollToHash(hash: string): void {
  const target = knownHash.test(hash) && !isOff() ? document.getElementById(hash.slice(1)) : null
  if (!target) return
  const heard = new AbortController()
  const { signal } = heard
  // Scrolling by the visitor takes precedence.
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(type, () => heard.abort(), { signal, passive: true })
  }
  setTimeout(() => {
    if (signal.aborted) return
    heard.abort()
    // The menu button was pressed before the scripts loaded.
    const toggle = document.querySelector<HTMLElement>(`[data-toggle-target="${hash}"][aria-controls]`)
    if (toggle) {
      history.replaceState(history.state, '', `${location.pathname}${location.search}`)
      toggle.click()
      return
    }
    openAncestors(target)
    target.scrollIntoView()
    focusOn(target)
  }, initialAfterMs)
}

/** Returns the target of a link within the page; undefined for any other link, and for a missing target. */
function targetOf(link: HTMLAnchorElement): HTMLElement | undefined {
  if (!URL.canParse(link.href)) {
    console.warn(`Invalid URL: ${link.getAttribute('href')}`)
    return undefined
  }
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin || pathname !== location.pathname || search !== location.search) return undefined
  if (knownHash.test(hash)) return document.getElementById(hash.slice(1)) ?? undefined
  // The browser may handle it.
  if (hash) console.warn(`Invalid URL: ${hash} is no place that a script goes to`)
  return undefined
}

/** Opens the collapsed sections and the panel that hide it. */
function openAncestors(target: HTMLElement): void {
  for (let fold = target.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true
  }
  const panel = target.closest<HTMLElement>(anchorHooks.tabPanel)
  if (!panel?.id || panel.checkVisibility()) return
  document.querySelector<HTMLElement>(`[role=tab][aria-controls="${CSS.escape(panel.id)}"]`)?.click()
}

function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true })
  if (document.activeElement === target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}

function isTab(link: Element): boolean {
  return link.matches('[role=tab]') || link.parentElement?.getAttribute('role') === 'tab'
}

function isOff(): boolean {
  return allOf(`body${anchorHooks.off}`).length > 0
}
