import { overlayHooks } from '#contract/hooks.ts'
import { moving } from './motion.ts'

const fadeInMs = 700
const fadeOutMs = 1000

/** A short message in the upper corner that goes by itself. `timeoutMs` 0: it stays until the returned function is called. */
export function growl(title: string, text = '', timeoutMs = 3000): () => void {
  const box = document.createElement('div')
  box.className = `${overlayHooks.layerClass} ${overlayHooks.messageClass} ${overlayHooks.pageClass} growlUI`
  box.setAttribute('role', 'status')
  Object.assign(box.style, {
    position: 'fixed',
    insetBlockStart: '10px',
    insetInlineEnd: '10px',
    inlineSize: 'min(350px, calc(100vw - 20px))',
    padding: '5px 15px',
    zIndex: '1011',
    color: '#fff',
    background: '#000',
    borderRadius: '10px',
    opacity: '0.9',
  })
  const heading = document.createElement('h1')
  heading.style.fontSize = '1.25rem'
  heading.textContent = title
  box.append(heading)
  if (text) {
    const body = document.createElement('h2')
    body.style.fontSize = '1rem'
    body.textContent = text
    box.append(body)
  }
  document.body.append(box)
  box.animate([{ opacity: 0 }, { opacity: 0.9 }], moving(fadeInMs))

  const close = () => {
    clearTimeout(timer)
    const gone = () => box.remove()
    box
      .animate([{ opacity: 0.9 }, { opacity: 0 }], { duration: moving(fadeOutMs), fill: 'forwards' })
      .finished.then(gone, gone)
  }
  const timer = timeoutMs > 0 ? setTimeout(close, timeoutMs) : undefined
  return close
}
