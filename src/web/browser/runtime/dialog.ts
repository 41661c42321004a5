import { dialogHooks } from '#contract/shared/dialog-hooks.ts'
import { allOf } from './elements.ts'

/**
 * Shared part of all dialogs over the page: the page behind it is inert and does not scroll, the focus stays in and returns,
 * Escape and a press beside it close it. A `<dialog>` is in the browser's top layer; any other element keeps the windows
 * of a payment provider usable above it.
 */
export type OpenDialog = {
  /** It starts to close: it takes no keys and presses any more, and the page behind it is free. */
  release(): void
  /** It is closed: the focus returns, and the page scrolls again. */
  end(): void
}

type Options = {
  /** The target of a press beside it; without one only Escape dismisses it. */
  readonly beside?: EventTarget | undefined
  /** Gets the focus back. */
  readonly opener: Element | null
  /** Asks to close it. */
  dismiss(): void
}

type Entry = { readonly layer: HTMLElement; readonly behind: readonly HTMLElement[]; closing: boolean }

/** The page's dialogs in the order of their opening, until they have ended: one that closes may open again meanwhile. */
const dialogs = new Set<Entry>()
const openDialogs = () => [...dialogs].filter(({ closing }) => !closing)

/** @param layer is in the page, and keeps the focus. */
export function openDialog(layer: HTMLElement, { beside, opener, dismiss }: Options): OpenDialog {
  const native = layer instanceof HTMLDialogElement
  const isInertHere = (part: HTMLElement) => openDialogs().some((other) => other.behind.includes(part))
  const parts = native ? [] : allOf(dialogHooks.behind).filter((part) => !part.contains(layer))
  const behind = parts.filter((part) => !part.inert || isInertHere(part))
  const entry: Entry = { layer, behind, closing: false }
  const released = new AbortController()
  const { signal } = released
  const isFront = () => openDialogs().at(-1) === entry
  for (const other of dialogs) if (other.layer === layer) dialogs.delete(other)
  dialogs.add(entry)
  if (dialogs.size === 1) lockScrolling()
  for (const part of behind) part.inert = true
  const borders = native ? [] : keepFocus(layer)
  if (native && !layer.open) layer.showModal()

  // A press that began in a field and ended beside the dialog selects text.
  let pressed: EventTarget | null = null
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      pressed = target
    },
    { signal },
  )
  document.addEventListener(
    'click',
    ({ target }) => {
      if (isFront() && target === beside && pressed === beside) dismiss()
    },
    { signal },
  )
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !isFront() || isElsewhere(event.target, layer)) return
      // The browser would close a `<dialog>` without a transition.
      event.preventDefault()
      dismiss()
    },
    { signal },
  )

  /** Reports whether the focus is still its own, or was lost by a press beside it. */
  let hadFocus = true
  let ended = false
  const giveBack = () => {
    if (hadFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  const release = () => {
    if (signal.aborted) return
    released.abort()
    entry.closing = true
    hadFocus = !openDialogs().some((other) => other.layer.contains(document.activeElement))
    for (const border of borders) border.remove()
    for (const part of behind) part.inert = isInertHere(part)
    // Nothing beside an open `<dialog>` can have the focus.
    if (!native) giveBack()
  }
  return {
    release,
    end() {
      if (ended) return
      ended = true
      release()
      if (native) {
        layer.close()
        giveBack()
      }
      dialogs.delete(entry)
      if (dialogs.size === 0) document.documentElement.classList.remove(dialogHooks.openClass)
    },
  }
}

/** Reserves the width of the scroll bar, so that the layout does not shift. */
function lockScrolling(): void {
  const { style, clientWidth, classList } = document.documentElement
  if (classList.contains(dialogHooks.openClass)) return
  const width = innerWidth - clientWidth
  style.setProperty('--scrollbar-offset', `${width}px`)
  style.scrollbarGutter = width > 0 ? 'stable' : ''
  classList.add(dialogHooks.openClass)
}

/** A provider's window above has keys of its own. */
function isElsewhere(target: EventTarget | null, layer: HTMLElement): boolean {
  return target instanceof Element && target !== document.body && !layer.contains(target) && !target.closest('[inert]')
}

/**
 * Two borders move the focus to the other end. They work for frames too, whose key events do not reach the page, and
 * ignore focus in a provider's window.
 */
function keepFocus(layer: HTMLElement): HTMLElement[] {
  const border = (into: () => HTMLElement | undefined) => {
    const element = document.createElement('span')
    element.tabIndex = 0
    element.addEventListener('focus', () => (into() ?? layer).focus())
    return element
  }
  const [first, last] = [border(() => focusables(layer).at(-1)), border(() => focusables(layer)[0])]
  layer.before(first)
  layer.after(last)
  return [first, last]
}

function focusables(layer: HTMLElement): HTMLElement[] {
  const selector = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, iframe, [tabindex="0"]'
  return [...layer.querySelectorAll<HTMLElement>(selector)].filter((it) => it.checkVisibility())
}
