import { menuHooks } from '#contract/shared/hooks.ts'
import { subMenuHooks } from '#contract/theme/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'

/**
 * Sub-menus. A button expands and collapses its list everywhere; in the header a resting mouse does too. Opening a list
 * closes its siblings, closing it closes the lists inside.
 */

/** A mouse that only crosses an entry, or cuts a corner on its way into the list, must not change it. */
const hoverMs = { open: 100, close: 250 } as const
const slideMs = 250

const { item: itemSelector, openItemClass, openListClass, edgeClass, bar: barSelector } = subMenuHooks

/** Entries opened by hover alone: a press on the button then pins the list. */
const hovered = new WeakSet<Element>()

/** Handles a press on the button of an entry. */
export function toggleSubMenu(button: Element): void {
  const item = button.closest(itemSelector)
  if (!item) return
  if (isOpen(item) && !hovered.delete(item)) close(item)
  else open(item)
}

export function startSubMenus(): void {
  const bar = document.querySelector<HTMLElement>(barSelector)
  if (!bar) return
  let intent: ReturnType<typeof setTimeout> | undefined
  const aim = (target: EventTarget | null) => {
    clearTimeout(intent)
    const wanted = target instanceof Node && bar.contains(target) ? itemAt(target) : undefined
    intent = setTimeout(() => settle(bar, wanted), wanted && !isOpen(wanted) ? hoverMs.open : hoverMs.close)
  }
  bar.addEventListener('pointerover', ({ pointerType, target }) => {
    if (pointerType === 'mouse') aim(target)
  })
  bar.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') aim(null)
  })
  // The loader passes on presses only after loading, which is too late for a quick press elsewhere.
  bar.addEventListener('click', (event) => {
    const button = closestTo(event, menuHooks.toggle)
    if (!button || !isPlainClick(event)) return
    event.preventDefault()
    // A press overrides a hover that started before.
    clearTimeout(intent)
    toggleSubMenu(button)
  })
  bar.addEventListener('focusout', ({ target, relatedTarget }) => {
    // The window lost it, not the menu.
    if (!(relatedTarget instanceof Node) || !(target instanceof Element)) return
    for (const item of openItems(bar)) if (item.contains(target) && !item.contains(relatedTarget)) close(item)
  })
  document.addEventListener('pointerdown', ({ target }) => {
    for (const item of openItems(bar)) if (target instanceof Node && !item.contains(target)) close(item)
  })
  // In the capture phase: the front list closes first, and Escape has a single effect.
  document.addEventListener(
    'keydown',
    (event) => {
      const focused = document.activeElement
      const item = openItems(bar)
        .filter((one) => one.contains(focused) || !bar.contains(focused))
        .at(-1)
      // A list opened by a resting mouse must not take Escape from the element in use.
      if (event.key !== 'Escape' || event.defaultPrevented || !item || document.querySelector('dialog[open]')) return
      event.preventDefault()
      clearTimeout(intent)
      if (item.contains(focused)) item.querySelector<HTMLElement>(menuHooks.toggle)?.focus({ preventScroll: true })
      close(item)
    },
    { capture: true },
  )
  // The mouse may already rest on an entry when this script starts.
  const resting = allOf(`${itemSelector}:hover`, bar).at(-1)
  if (resting && matchMedia('(hover: hover)').matches) aim(resting)
}

/** Closes lists, except the hovered entry with its ancestors and entries opened by a press. */
function settle(bar: HTMLElement, wanted: Element | undefined): void {
  for (const item of openItems(bar)) if (hovered.has(item) && !(wanted && item.contains(wanted))) close(item)
  for (let item = wanted; item && bar.contains(item); item = itemAt(item.parentElement)) {
    if (isOpen(item)) continue
    open(item)
    hovered.add(item)
  }
}

function open(item: Element): void {
  for (const other of openItems(item.parentElement ?? document)) {
    if (other.parentElement === item.parentElement && other !== item) close(other)
  }
  if (isOpen(item)) return
  const list = listOf(item)
  show(item, list, true)
  if (!list) return
  if (item.closest(barSelector)) keepInWindow(list)
  else slide(list, true)
}

function close(item: Element): void {
  for (const inner of openItems(item)) close(inner)
  hovered.delete(item)
  if (!isOpen(item)) return
  const list = listOf(item)
  show(item, list, false)
  if (!list || item.closest(barSelector)) return
  // It stays visible until its animation ends.
  list.classList.add(openListClass)
  slide(list, false).finished.then(
    () => list.classList.toggle(openListClass, isOpen(item)),
    () => {},
  )
}

function show(item: Element, list: Element | null, shown: boolean): void {
  item.classList.toggle(openItemClass, shown)
  list?.classList.toggle(openListClass, shown)
  item.querySelector(`:scope > ${menuHooks.toggle}`)?.setAttribute('aria-expanded', String(shown))
}

/** Opens a list to the other side if it would leave the window. */
function keepInWindow(list: HTMLElement): void {
  list.classList.remove(edgeClass)
  const { left, right } = list.getBoundingClientRect()
  list.classList.toggle(edgeClass, left < 0 || right > document.documentElement.clientWidth)
}

const sliding = new WeakMap<Element, Animation>()

/** Animates a list: in a drawer it takes space and slides; in the header the styles show it. */
function slide(list: HTMLElement, opening: boolean): Animation {
  sliding.get(list)?.cancel()
  const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : slideMs
  const heights = ['0px', `${list.offsetHeight}px`]
  const animation = list.animate(
    { height: opening ? heights : heights.reverse(), overflow: ['clip', 'clip'] },
    { duration, easing: 'ease-in-out' },
  )
  sliding.set(list, animation)
  return animation
}

function itemAt(node: Node | null): Element | undefined {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest(itemSelector) ?? undefined
}

function listOf(item: Element): HTMLElement | null {
  return item.querySelector<HTMLElement>(`:scope > ${subMenuHooks.list}`)
}

function isOpen(item: Element): boolean {
  return item.classList.contains(openItemClass)
}

/** Returns the open entries in document order, so outer ones first. */
function openItems(root: ParentNode): HTMLElement[] {
  return allOf(`.${openItemClass}`, root)
}
