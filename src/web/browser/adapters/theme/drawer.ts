import { openDrawerHooks } from '#contract/shared/drawer-hooks.ts'
import { drawerHooks } from '#contract/shared/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'

/**
 * Drawers beside the page, opened by whatever names them. Without scripts those links lead to pages. A drawer that may hold
 * a wallet's button is not modal: the wallet's own window must be able to take the focus from it. One that cannot is a
 * `<dialog>`, and modal.
 */

const activeAfterMs = 10
const defaultDurationMs = 250

type Drawer = {
  readonly opener: HTMLElement
  /** What brings it on: one for every drawer, so that quick presses reverse instead of fighting. */
  timer?: ReturnType<typeof setTimeout>
  /** Ends what is heard only while it is open. */
  readonly heard: AbortController
}

const drawers = new WeakMap<HTMLElement, Drawer>()
/** Those that are open or opening; the last is the one in front. */
let open: HTMLElement[] = []
let watching = false
/** In which a key was pressed last, since it has opened. */
let used: HTMLElement | undefined

/** Opens or closes the drawer that the toggle names. */
export function toggleDrawer(drawer: HTMLElement, toggle: HTMLElement): void {
  if (!watching) watch()
  if (open.includes(drawer)) close(drawer)
  else show(drawer, toggle)
}

/** Escape, and a press beside the drawer in front, close it; so does leaving the page, which may come back as it was. */
function watch(): void {
  watching = true
  // A press that began in a field and ended beside the drawer is somebody marking text.
  let pressed: EventTarget | null = null
  document.addEventListener('pointerdown', (event) => {
    pressed = event.target
  })
  document.addEventListener('click', (event) => {
    const drawer = open.at(-1)
    const { target } = event
    // Whatever is inert, and the veil over it, is the body to a press.
    if (drawer && target === pressed && target === (isDialog(drawer) ? drawer : document.body)) close(drawer)
    const link = drawer?.matches(openDrawerHooks.menu) && closestTo(event, 'a[href]:not([data-toggle-target])')
    // Where a link leads within the page, the way is free at once, and the focus goes there.
    if (drawer && link instanceof HTMLAnchorElement && drawer.contains(link)) close(drawer, link.hash ? 0 : undefined)
  })
  document.addEventListener('keydown', (event) => {
    const drawer = open.at(-1)
    used = drawer
    if (event.key !== 'Escape' || event.defaultPrevented || !drawer) return
    // The browser would close a dialog at once.
    event.preventDefault()
    close(drawer)
  })
  addEventListener('pagehide', () => {
    for (const drawer of [...open]) close(drawer, 0)
  })
}

function show(drawer: HTMLElement, opener: HTMLElement): void {
  clearTimeout(drawers.get(drawer)?.timer)
  const heard = new AbortController()
  drawers.set(drawer, { opener, heard })
  open = [...open, drawer]
  keepScrollbarsRoom()
  drawer.hidden = false
  if (isDialog(drawer)) {
    if (!drawer.open) drawer.showModal()
    // However else it was closed: by a gesture, or by the browser.
    drawer.addEventListener('close', () => !drawer.open && close(drawer, 0), { signal: heard.signal })
  } else blockPage(drawer)
  closeWhereItEnds(drawer, heard.signal)
  drawer.classList.add(drawerHooks.shownClass)
  tell(drawer, opener, true)
  used = undefined
  // Where it begins to move from must be known to the styles.
  void drawer.offsetWidth
  after(drawer, activeAfterMs, () => {
    drawer.classList.add(openDrawerHooks.activeClass)
    // Somebody quick has pressed one of its controls by then, and goes on from there.
    if (used !== drawer)
      focusOn(opener.dataset.setFocus ? document.querySelector<HTMLElement>(opener.dataset.setFocus) : drawer)
    drawer.dispatchEvent(new CustomEvent('opened', { bubbles: true }))
    after(drawer, durationOf(opener), () => drawer.classList.add(openDrawerHooks.settledClass))
  })
}

/** @param durationMs otherwise as long as its toggle says */
function close(drawer: HTMLElement, durationMs?: number): void {
  const known = drawers.get(drawer)
  if (!known || !open.includes(drawer)) return
  const { opener, heard } = known
  heard.abort()
  open = open.filter((other) => other !== drawer)
  // A press beside it has taken the focus from everything.
  const { activeElement } = document
  const hadFocus = drawer.contains(activeElement) || activeElement === document.body
  drawer.classList.remove(openDrawerHooks.activeClass, openDrawerHooks.settledClass)
  tell(drawer, opener, false)
  if (!isDialog(drawer)) {
    blockPage(open.findLast((other) => !isDialog(other)))
    // Nothing beside an open dialog can have the focus: it gives it back by itself, later.
    if (hadFocus) focusOn(opener)
  }
  const end = () => {
    drawer.classList.remove(drawerHooks.shownClass)
    if (isDialog(drawer)) {
      drawer.close()
      if (hadFocus) focusOn(opener)
    } else drawer.hidden = true
    drawer.dispatchEvent(new CustomEvent('closed', { bubbles: true }))
  }
  const duration = durationMs ?? durationOf(opener)
  if (duration > 0) after(drawer, duration, end)
  else {
    clearTimeout(known.timer)
    end()
  }
}

/** A menu that stands in the header of a wide window has no business in a drawer there. */
function closeWhereItEnds(drawer: HTMLElement, signal: AbortSignal): void {
  const { closeFrom } = drawer.dataset
  if (!closeFrom) return
  const wide = matchMedia(`(min-width: ${Number(closeFrom)}px)`)
  wide.addEventListener('change', () => wide.matches && close(drawer, 0), { signal })
}

/** For a drawer that is not modal itself. Only what is ours: a provider's window that comes later is to be used. */
function blockPage(drawer: HTMLElement | undefined): void {
  for (const part of allOf(openDrawerHooks.behind)) part.inert = drawer !== undefined && !part.contains(drawer)
}

/** The styles keep the page from scrolling behind a drawer: where its scroll bar had room, the room stays, so nothing moves. */
function keepScrollbarsRoom(): void {
  const { style, clientWidth } = document.documentElement
  if (open.length > 1) return
  const width = innerWidth - clientWidth
  style.setProperty('--scrollbar-offset', `${width}px`)
  style.scrollbarGutter = width > 0 ? 'stable' : ''
}

function tell(drawer: Element, opener: HTMLElement, opened: boolean): void {
  const { toggleBodyClass } = opener.dataset
  if (toggleBodyClass) document.body.classList.toggle(toggleBodyClass, opened)
  for (const toggle of allOf(`${drawerHooks.toggle}[aria-controls="${CSS.escape(drawer.id)}"]`)) {
    toggle.setAttribute('aria-expanded', String(opened))
  }
}

function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

function isDialog(node: EventTarget | null): node is HTMLDialogElement {
  return node instanceof HTMLDialogElement
}

function durationOf({ dataset }: HTMLElement): number {
  const duration = Number(dataset.toggleDuration ?? defaultDurationMs)
  return duration >= 0 ? duration : defaultDurationMs
}

function after(drawer: HTMLElement, delayMs: number, step: () => void): void {
  const known = drawers.get(drawer)
  if (!known) return
  clearTimeout(known.timer)
  known.timer = setTimeout(step, delayMs)
}
