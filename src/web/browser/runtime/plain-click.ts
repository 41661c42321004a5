import { closestTo } from './elements.ts'
import type { ShopEvent } from './events.ts'

/** Whether a click is the plain kind that a script may answer; others open tabs and windows. */
export function isPlainClick(event: ShopEvent): boolean {
  const { button = 0, ctrlKey, metaKey, shiftKey, altKey } = event
  const prevented = event.isDefaultPrevented?.() ?? event.defaultPrevented
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !prevented
}

/** Links that say they are buttons are pressed by the space bar too. */
export function startSpaceBar(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || event.defaultPrevented) return
    const link = closestTo(event, 'a[role=button]')
    if (!link) return
    event.preventDefault()
    if (!event.repeat) link.click()
  })
}
