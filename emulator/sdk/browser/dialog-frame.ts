import { type Answers, lineToFrame } from './line.ts'

type DialogFrame = {
  title: string
  name: string
  url: string
  /** Handed to the page in the frame when it asks for it: what must not stand in an address. */
  details?: unknown
  /** Removes the dialog from outside, as if closed. */
  signal?: AbortSignal
}

/**
 * A page of the provider's over the shop's, as a dialog that the frame itself draws.
 * @returns what the frame said when it was done; undefined when it was closed
 */
export function openDialogFrame<Result>(
  origin: string,
  { title, name, url, details, signal }: DialogFrame,
): Promise<Result | undefined> {
  const focusedBefore = document.activeElement
  const layer = document.createElement('div')
  layer.setAttribute('role', 'dialog')
  layer.setAttribute('aria-modal', 'true')
  layer.setAttribute('aria-label', title)
  // Set one by one: a page's policy may forbid style attributes, never the object model.
  Object.assign(layer.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(0 0 0 / 55%)' })
  const frame = document.createElement('iframe')
  frame.title = title
  frame.name = name
  Object.assign(frame.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' })
  // As the frame's own pages say: drawn transparent, whatever scheme the shop has.
  frame.style.colorScheme = 'light dark'
  frame.src = url
  layer.append(frame)

  return new Promise((resolve) => {
    function end(result?: Result): void {
      line.close()
      layer.remove()
      document.removeEventListener('focusin', keepFocus)
      signal?.removeEventListener('abort', abort)
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
      resolve(result)
    }
    const abort = () => end()
    function takeFocus(): void {
      frame.focus()
      // The frame chooses where the focus goes, once the frame itself has it.
      line.ask('opened').catch(() => {})
    }
    /** The page behind is out of reach while the dialog is there. */
    function keepFocus({ target }: FocusEvent): void {
      if (target instanceof Node && !layer.contains(target)) takeFocus()
    }
    // Layers later in the line have other answers; these are all that a dialog's page asks.
    const answers: Answers = { details: () => details, done: (result: Result) => end(result), close: abort }
    const line = lineToFrame(frame, origin, answers, takeFocus)
    document.addEventListener('focusin', keepFocus)
    signal?.addEventListener('abort', abort)
    layer.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') end()
    })
    document.body.append(layer)
  })
}
