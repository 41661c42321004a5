import { openDrawerHooks, searchHooks } from '#contract/shared/drawer-hooks.ts'
import { drawerHooks } from '#contract/shared/hooks.ts'
import { type OpenDialog, openDialog } from '../../runtime/dialog.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'

/**
 * Drawers beside the page, opened by their toggles. Without scripts these links lead to pages. A drawer that may
 * contain a wallet button is not modal: the wallet's own window must be able to take the focus. All others are a modal
 * `<dialog>`.
 */

const activeAfterMs = 10
const defaultDurationMs = 250

type Drawer = {
  readonly opener: HTMLElement
  readonly dialog: OpenDialog
  /** The timer of the transition: shared by opening and closing, so that quick presses reverse it. */
  timer?: ReturnType<typeof setTimeout>
  /** Removes the listeners of an open drawer. */
  readonly heard: AbortController
}

/** The drawers of a page. */
export class Drawers {
  readonly #drawers = new WeakMap<HTMLElement, Drawer>()
  /** The drawers that are open or opening; the last is in front. */
  #open: HTMLElement[] = []
  /** The drawer in which a key was pressed last, since it opened. */
  #used: HTMLElement | undefined

  /** Closes the menu at a press on one of its links, and all drawers when the page is left: the cache restores it unchanged. */
  constructor() {
    document.addEventListener('click', (event) => {
      const drawer = this.#open.at(-1)
      const link = drawer?.matches(openDrawerHooks.menu) && closestTo(event, 'a[href]:not([data-toggle-target])')
      // A link within the page closes the drawer at once, and the focus follows the link.
      if (drawer && link instanceof HTMLAnchorElement && drawer.contains(link))
        this.#close(drawer, link.hash ? 0 : undefined)
    })
    document.addEventListener('keydown', () => {
      this.#used = this.#open.at(-1)
    })
    addEventListener('pagehide', () => {
      for (const drawer of [...this.#open]) this.#close(drawer, 0)
    })
  }

  /** Opens or closes the drawer that the toggle names. */
  toggle(drawer: HTMLElement, toggle: HTMLElement): void {
    if (this.#open.includes(drawer)) this.#close(drawer)
    else this.#show(drawer, toggle)
  }

  #show(drawer: HTMLElement, opener: HTMLElement): void {
    clearTimeout(this.#drawers.get(drawer)?.timer)
    const heard = new AbortController()
    drawer.hidden = false
    // Presses on inert content, and on the backdrop over it, have the body as target.
    const beside = isDialog(drawer) ? drawer : document.body
    const dialog = openDialog(drawer, { beside, opener, dismiss: () => this.#close(drawer) })
    this.#drawers.set(drawer, { opener, dialog, heard })
    this.#open = [...this.#open, drawer]
    // Handles a close by a gesture, or by the browser.
    if (isDialog(drawer)) {
      drawer.addEventListener('close', () => !drawer.open && this.#close(drawer, 0), { signal: heard.signal })
    }
    this.#closeWhereItEnds(drawer, heard.signal)
    const field = drawer.querySelector<HTMLInputElement>(searchHooks.field)
    if (field && !field.hasAttribute(searchHooks.startedAttribute)) void loadSuggestions(field)
    drawer.classList.add(drawerHooks.shownClass)
    updateToggles(drawer, opener, true)
    this.#used = undefined
    // Forces a layout, so that the transition has its start position.
    void drawer.offsetWidth
    this.#schedule(drawer, activeAfterMs, () => {
      drawer.classList.add(openDrawerHooks.activeClass)
      // The visitor may have used a control of the drawer already.
      if (this.#used !== drawer)
        focusOn(opener.dataset.setFocus ? document.querySelector<HTMLElement>(opener.dataset.setFocus) : drawer)
      drawer.dispatchEvent(new CustomEvent('opened', { bubbles: true }))
      this.#schedule(drawer, durationOf(opener), () => drawer.classList.add(openDrawerHooks.settledClass))
    })
  }

  /** @param durationMs default: the duration of its toggle */
  #close(drawer: HTMLElement, durationMs?: number): void {
    const known = this.#drawers.get(drawer)
    if (!known || !this.#open.includes(drawer)) return
    const { opener, dialog, heard } = known
    heard.abort()
    this.#open = this.#open.filter((other) => other !== drawer)
    drawer.classList.remove(openDrawerHooks.activeClass, openDrawerHooks.settledClass)
    updateToggles(drawer, opener, false)
    dialog.release()
    const end = () => {
      drawer.classList.remove(drawerHooks.shownClass)
      dialog.end()
      if (!isDialog(drawer)) drawer.hidden = true
      drawer.dispatchEvent(new CustomEvent('closed', { bubbles: true }))
    }
    const duration = durationMs ?? durationOf(opener)
    if (duration > 0) this.#schedule(drawer, duration, end)
    else {
      clearTimeout(known.timer)
      end()
    }
  }

  /** Closes the menu's drawer in a wide window, where the header contains the menu. */
  #closeWhereItEnds(drawer: HTMLElement, signal: AbortSignal): void {
    const { closeFrom } = drawer.dataset
    if (!closeFrom) return
    const wide = matchMedia(`(min-width: ${Number(closeFrom)}px)`)
    wide.addEventListener('change', () => wide.matches && this.#close(drawer, 0), { signal })
  }

  #schedule(drawer: HTMLElement, delayMs: number, step: () => void): void {
    const known = this.#drawers.get(drawer)
    if (!known) return
    clearTimeout(known.timer)
    known.timer = setTimeout(step, delayMs)
  }
}

async function loadSuggestions(field: HTMLInputElement): Promise<void> {
  field.toggleAttribute(searchHooks.startedAttribute, true)
  const { startSuggestions } = await import('../catalog/search-suggestions.ts')
  startSuggestions(field)
}

function updateToggles(drawer: Element, opener: HTMLElement, opened: boolean): void {
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
