import { drawerHooks } from '#contract/hooks.ts'
import { allOf, closestTo } from './elements.ts'
import { listen } from './events.ts'
import { isPlainClick } from './plain-click.ts'

/**
 * Drawers beside the page, opened by whatever names them. Without scripts those links lead to pages. A drawer is not modal:
 * a wallet's own window must be able to take the focus from it.
 */

const activeAfterMs = 10
const defaultDurationMs = 250

/** What put a drawer into its present motion: one timer each, so that quick presses reverse instead of fighting. */
const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>()
const openers = new WeakMap<Element, HTMLElement>()

export function startDrawers(): void {
  for (const toggle of allOf(drawerHooks.toggle)) {
    if (toggle.hasAttribute('aria-controls')) toggle.setAttribute('aria-expanded', 'false')
  }
  listen(document, 'click', (event) => {
    const toggle = closestTo(event, drawerHooks.toggle)
    const drawer = toggle && document.querySelector<HTMLElement>(toggle.dataset.toggleTarget ?? '')
    // On the cart and checkout pages the cart is not beside the page: the link leads to it.
    if (
      !toggle ||
      !drawer ||
      !isPlainClick(event) ||
      (toggle.matches('a') && document.body.matches(drawerHooks.cartPages))
    )
      return
    event.preventDefault()
    if (isOpen(drawer)) close(drawer)
    else open(drawer, toggle)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // The one that was opened last, or rather the last in the page: drawers do not nest. One that is still coming counts.
    const drawer = allOf(`.${drawerHooks.shownClass}`)
      .filter((shown) => shown.classList.contains(drawerHooks.activeClass) || isOpen(shown))
      .at(-1)
    if (drawer) close(drawer)
  })
}

function open(drawer: HTMLElement, opener: HTMLElement): void {
  openers.set(drawer, opener)
  drawer.hidden = false
  drawer.classList.add(drawerHooks.shownClass)
  expanded(drawer, true)
  after(drawer, activeAfterMs, () => {
    drawer.classList.add(drawerHooks.activeClass)
    const { setFocus } = opener.dataset
    const target = setFocus ? document.querySelector<HTMLElement>(setFocus) : drawer
    target?.focus({ preventScroll: true })
    after(drawer, durationOf(opener), () => drawer.classList.add(drawerHooks.settledClass))
  })
}

function close(drawer: HTMLElement): void {
  const opener = openers.get(drawer)
  const focusInside = drawer.contains(document.activeElement)
  drawer.classList.remove(drawerHooks.activeClass, drawerHooks.settledClass)
  expanded(drawer, false)
  if (focusInside) opener?.focus({ preventScroll: true })
  after(drawer, durationOf(opener), () => {
    drawer.classList.remove(drawerHooks.shownClass)
    drawer.hidden = true
  })
}

function isOpen(drawer: Element): boolean {
  return drawer.classList.contains(drawerHooks.shownClass) && openers.has(drawer) && expandedNow(drawer)
}

function expandedNow(drawer: Element): boolean {
  return togglesOf(drawer).some((toggle) => toggle.getAttribute('aria-expanded') === 'true')
}

function expanded(drawer: Element, open: boolean): void {
  for (const toggle of togglesOf(drawer)) toggle.setAttribute('aria-expanded', String(open))
}

function togglesOf(drawer: Element): HTMLElement[] {
  return allOf(`${drawerHooks.toggle}[aria-controls="${CSS.escape(drawer.id)}"]`)
}

function durationOf(opener: HTMLElement | undefined): number {
  const duration = Number(opener?.dataset.toggleDuration)
  return duration >= 0 ? duration : defaultDurationMs
}

function after(drawer: Element, delayMs: number, step: () => void): void {
  clearTimeout(timers.get(drawer))
  timers.set(drawer, setTimeout(step, delayMs))
}
