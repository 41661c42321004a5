import { overlayHooks } from '#contract/shared/hooks.ts'
import { motionMs } from '../../runtime/motion.ts'

const fadeInMs = 700
const fadeOutMs = 1000
/** A live region is read when its text changes, not when it appears. */
const heardAfterMs = 50
const growlClass = 'growlUI'

/**
 * Shows a toast in the upper corner that closes by itself, but not under the pointer or the focus. It is announced and
 * takes no focus; the next toast replaces it. `timeoutMs` 0: it stays until the returned function is called.
 */
export function growl(title: string, text = '', timeoutMs = 3000): () => void {
  document.querySelector(`.${growlClass}`)?.remove()
  const box = document.createElement('div')
  box.className = `${overlayHooks.layerClass} ${overlayHooks.messageClass} ${overlayHooks.pageClass} ${growlClass}`
  box.setAttribute('role', 'status')
  Object.assign(box.style, {
    position: 'fixed',
    insetBlockStart: '10px',
    insetInlineEnd: '10px',
    boxSizing: 'border-box',
    inlineSize: 'min(350px, calc(100vw - 20px))',
    padding: '5px 15px',
    zIndex: '1011',
    color: '#fff',
    background: '#000',
    // Visible in forced-colours mode, and on dark pages.
    border: '1px solid rgb(255 255 255 / 0.35)',
    borderRadius: '10px',
    opacity: '0.9',
  })
  const saying = setTimeout(
    () => box.append(line('h1', title, '1.25rem'), ...(text ? [line('h2', text, '1rem')] : [])),
    heardAfterMs,
  )
  document.body.append(box)
  box.animate([{ opacity: 0 }, { opacity: 0.9 }], motionMs(fadeInMs))

  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosing = false
  const remove = () => {
    clearTimeout(saying)
    clearTimeout(timer)
    box.remove()
  }
  const close = () => {
    clearTimeout(timer)
    if (isClosing) return
    isClosing = true
    box
      .animate([{ opacity: 0.9 }, { opacity: 0 }], { duration: motionMs(fadeOutMs), fill: 'forwards' })
      .finished.then(remove, remove)
  }
  const wait = () => {
    clearTimeout(timer)
    if (timeoutMs > 0 && !isClosing && !box.matches(':hover, :focus-within')) timer = setTimeout(close, timeoutMs)
  }
  for (const type of ['pointerenter', 'focusin']) box.addEventListener(type, () => clearTimeout(timer))
  for (const type of ['pointerleave', 'focusout']) box.addEventListener(type, wait)
  wait()
  return close
}

/** An element that themes know, without heading semantics. */
function line(tag: 'h1' | 'h2', text: string, fontSize: string): HTMLElement {
  const element = document.createElement(tag)
  element.setAttribute('role', 'presentation')
  Object.assign(element.style, { fontSize, overflowWrap: 'anywhere' })
  element.textContent = text
  return element
}
