import { anchorHooks } from '#contract/theme/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'

/**
 * Links within the page. The browser scrolls, smoothly and clear of the header, as the styles tell it. Added here: what hides
 * the target is opened, and the focus goes along.
 */

const initialAfterMs = 100
const knownHash = /^#[A-Za-z0-9_-]+$/

export function startAnchors(): void {
  document.addEventListener('click', (event) => {
    const link = closestTo(event, anchorHooks.link)
    if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event) || isOff() || isTab(link)) return
    const target = targetOf(link)
    if (!target) return
    unfold(target)
    const heard = new AbortController()
    const { signal } = heard
    // Who has pressed Tab by then is not taken back.
    addEventListener('keydown', () => heard.abort(), { signal, capture: true })
    // After the browser has begun to scroll: moving the focus first would be a jump.
    setTimeout(() => {
      if (!signal.aborted) focusOn(target)
      heard.abort()
    })
  })
  if (location.hash) comeTo(location.hash)
}

/** The page was opened at a place within it: gone to again once what stands above it has come. */
function comeTo(hash: string): void {
  const target = knownHash.test(hash) && !isOff() ? document.getElementById(hash.slice(1)) : null
  if (!target) return
  const heard = new AbortController()
  const { signal } = heard
  // A visitor who scrolls is not fought.
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(type, () => heard.abort(), { signal, passive: true })
  }
  setTimeout(() => {
    if (signal.aborted) return
    heard.abort()
    // The menu's button was pressed before any script was there.
    const toggle = document.querySelector<HTMLElement>(`[data-toggle-target="${hash}"][aria-controls]`)
    if (toggle) {
      history.replaceState(history.state, '', `${location.pathname}${location.search}`)
      toggle.click()
      return
    }
    unfold(target)
    target.scrollIntoView()
    focusOn(target)
  }, initialAfterMs)
}

/** What a link within the page leads to; undefined for any other link, and for what the page does not have. */
function targetOf(link: HTMLAnchorElement): HTMLElement | undefined {
  if (!URL.canParse(link.href)) {
    console.warn(`Invalid URL: ${link.getAttribute('href')}`)
    return undefined
  }
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin || pathname !== location.pathname || search !== location.search) return undefined
  if (knownHash.test(hash)) return document.getElementById(hash.slice(1)) ?? undefined
  // The browser may know what to do with it.
  if (hash) console.warn(`Invalid URL: ${hash} is no place that a script goes to`)
  return undefined
}

/** Opens the folds and the panel that hide it. */
function unfold(target: HTMLElement): void {
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
