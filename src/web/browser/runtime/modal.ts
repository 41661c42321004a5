import { openDialog } from './dialog.ts'

/**
 * A modal layer over the page. No `<dialog>`: a payment provider's window must be usable above it, and the browser's
 * top layer would cover that.
 */

const activeAfterMs = 10
const goneAfterMs = 400
const activeClass = 'active'

export type Modal = {
  /** Safe to call again. */
  close(): void
}

/**
 * @param layer covers the page and contains an element with `role="dialog"`. A press on the layer itself, Escape, and
 * elements that match `closers` close it.
 */
export function openModal(layer: HTMLElement, closers: string, closed: () => void = () => {}): Modal {
  const box = layer.querySelector<HTMLElement>('[role=dialog]') ?? layer
  const opener = document.activeElement
  let isOpen = true
  document.body.append(layer)
  const dialog = openDialog(layer, { beside: layer, opener, dismiss: close })

  function close(): void {
    if (!isOpen) return
    isOpen = false
    layer.classList.remove(activeClass)
    dialog.end()
    setTimeout(() => layer.remove(), goneAfterMs)
    closed()
  }

  layer.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest(closers)) close()
  })
  box.tabIndex = -1
  box.focus({ preventScroll: true })
  setTimeout(() => isOpen && layer.classList.add(activeClass), activeAfterMs)
  return { close }
}
