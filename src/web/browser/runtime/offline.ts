import { offlineHooks } from '#contract/shared/hooks.ts'

/**
 * Shows a bar while there is no connection, and blocks form submissions: the browser would replace the page by an
 * error.
 */
export function startOffline(): void {
  const show = () => setBarText(navigator.onLine ? '' : undefined)
  addEventListener('offline', show)
  addEventListener('online', show)
  if (!navigator.onLine) show()
  document.addEventListener(
    'submit',
    (event) => {
      if (!isNavigationBlocked()) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}

/**
 * Returns true if the page must not be left without a connection, and shows the message again.
 * @param later runs once the connection is restored
 */
export function isNavigationBlocked(later?: () => void): boolean {
  if (navigator.onLine) return false
  if (later) addEventListener('online', later, { once: true })
  setBarText('')
  setTimeout(setBarText)
  return true
}

function setBarText(text?: string): void {
  const bar = document.querySelector<HTMLElement>(offlineHooks.bar)
  if (bar) bar.textContent = text ?? bar.dataset.offline ?? ''
}
