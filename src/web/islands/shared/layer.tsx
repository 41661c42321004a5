import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { openDialog } from '../../browser/runtime/dialog.ts'

const activeAfterMs = 10
const goneAfterMs = 400

type LayerProps = {
  open: boolean
  /** Reports Escape, or a press beside the dialog: the parent sets `open` to false. */
  onDismiss: () => void
  /** The id of the title inside. */
  titleId: string
  /** The class of the element that covers the page, or of the `<dialog>`. */
  className: string
  /** The class of the dialog on that element. */
  boxClassName?: string
  /**
   * Renders a `<dialog>` in the browser's top layer, which a press beside it does not close. Not where a payment
   * provider opens windows: they would be below it.
   */
  top?: boolean
  children: ReactNode
}

/**
 * A dialog over the page: the page behind it is inert and does not scroll, and the focus stays in and returns. It is
 * rendered at the end of the page while it is open, and stays for the transition of its closing. The class `active` marks
 * the time between.
 */
export function Layer({ open, onDismiss, titleId, className, boxClassName, top = false, children }: LayerProps) {
  const layer = useRef<HTMLDivElement & HTMLDialogElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [present, setPresent] = useState(false)
  const [active, setActive] = useState(false)
  const dismiss = useEffectEvent(onDismiss)

  useEffect(() => {
    if (open) return setPresent(true)
    const gone = setTimeout(() => setPresent(false), goneAfterMs)
    return () => clearTimeout(gone)
  }, [open])
  useEffect(() => {
    if (!open || !present || !layer.current) return
    const dialog = openDialog(layer.current, {
      beside: top ? undefined : layer.current,
      opener: document.activeElement,
      dismiss: () => dismiss(),
    })
    box.current?.focus({ preventScroll: true })
    const activated = setTimeout(() => setActive(true), activeAfterMs)
    return () => {
      clearTimeout(activated)
      setActive(false)
      dialog.end()
    }
  }, [open, present, top])

  if (!present) return null
  const classes = open && active ? `${className} active` : className
  if (top)
    return (
      // The browser may close it, by a gesture.
      <dialog ref={layer} className={classes} aria-labelledby={titleId} onClose={() => open && onDismiss()}>
        {children}
      </dialog>
    )
  return createPortal(
    <div ref={layer} className={classes}>
      <div ref={box} className={boxClassName} role="dialog" aria-modal="true" aria-labelledby={titleId} tabIndex={-1}>
        {children}
      </div>
    </div>,
    document.body,
  )
}
