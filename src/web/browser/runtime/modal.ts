/**
 * A modal layer over the page. No `<dialog>`: a payment provider's window must be usable above it, and the browser's
 * top layer would cover that.
 */

const activeAfterMs = 10
const goneAfterMs = 400
const activeClass = 'active'
const openClass = 'modal-open'

export type Modal = {
  /** Safe to call again. */
  close(): void
}

/**
 * @param layer covers the page and contains an element with `role="dialog"`. A press on the layer itself, Escape, and
 * elements that match `closers` close it.
 */
export function openModal(layer: HTMLElement, closers: string, closed: () => void = () => {}): Modal {
  const dialog = layer.querySelector<HTMLElement>('[role=dialog]') ?? layer
  const before = document.activeElement
  // Only existing elements: a provider's window added later stays usable.
  const behind = [...document.body.children].filter((it) => !it.hasAttribute('inert'))
  const heard = new AbortController()
  const { signal } = heard

  function close(): void {
    if (signal.aborted) return
    heard.abort()
    layer.classList.remove(activeClass)
    for (const element of behind) element.removeAttribute('inert')
    document.documentElement.classList.remove(openClass)
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    setTimeout(() => layer.remove(), goneAfterMs)
    closed()
  }

  // A press that began in a field and ended on the layer selects text.
  let pressed: EventTarget | null = null
  layer.addEventListener('pointerdown', ({ target }) => {
    pressed = target
  })
  layer.addEventListener(
    'click',
    ({ target }) => {
      const onLayer = target === layer && pressed === layer
      if (onLayer || (target instanceof Element && target.closest(closers))) close()
    },
    { signal },
  )
  document.addEventListener(
    'keydown',
    (event) => {
      // A provider's window above has keys of its own.
      const elsewhere = event.target !== document.body && event.target instanceof Node && !layer.contains(event.target)
      if (event.key !== 'Escape' || event.defaultPrevented || elsewhere) return
      event.preventDefault()
      close()
    },
    { signal },
  )

  dialog.tabIndex = -1
  dialog.before(border(() => focusables(dialog).at(-1) ?? dialog))
  dialog.after(border(() => focusables(dialog)[0] ?? dialog))
  for (const element of behind) element.setAttribute('inert', '')
  document.documentElement.classList.add(openClass)
  document.body.append(layer)
  dialog.focus({ preventScroll: true })
  setTimeout(() => !signal.aborted && layer.classList.add(activeClass), activeAfterMs)
  return { close }
}

/**
 * Moves the focus to the other end. It works for frames too, whose key events do not reach the page, and ignores focus
 * in a provider's window.
 */
function border(into: () => HTMLElement): HTMLElement {
  const element = document.createElement('span')
  element.tabIndex = 0
  element.addEventListener('focus', () => into().focus())
  return element
}

function focusables(dialog: HTMLElement): HTMLElement[] {
  const selector = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, iframe, [tabindex="0"]'
  return [...dialog.querySelectorAll<HTMLElement>(selector)].filter((it) => it.checkVisibility())
}
