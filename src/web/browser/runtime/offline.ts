import { offlineHooks } from '#contract/shared/hooks.ts'

/** A bar while there is no connection, and no form that is sent into the void: the browser would put an error in place of the page. */
export function startOffline(): void {
  const show = () => say(navigator.onLine ? '' : undefined)
  addEventListener('offline', show)
  addEventListener('online', show)
  if (!navigator.onLine) show()
  document.addEventListener(
    'submit',
    (event) => {
      if (!staysHere()) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}

/**
 * Whether the page must not be left because there is no connection; says so, once more where it stands already.
 * @param later what is to be done once there is one
 */
export function staysHere(later?: () => void): boolean {
  if (navigator.onLine) return false
  if (later) addEventListener('online', later, { once: true })
  say('')
  setTimeout(say)
  return true
}

function say(text?: string): void {
  const bar = document.querySelector<HTMLElement>(offlineHooks.bar)
  if (bar) bar.textContent = text ?? bar.dataset.offline ?? ''
}
