import { closestTo } from './elements.ts'
import type { ShopEvent } from './events.ts'

/** Returns true for a plain click, which a script may handle; others open tabs and windows. */
export function isPlainClick(event: ShopEvent): boolean {
  const { button = 0, ctrlKey, metaKey, shiftKey, altKey } = event
  const prevented = event.isDefaultPrevented?.() ?? event.defaultPrevented
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !prevented
}

/** Makes the space bar press links with a button role. */
export function startSpaceBar(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || event.defaultPrevented) return
    const link = closestTo(event, 'a[role=button]')
    if (!link) return
    event.preventDefault()
    if (!event.repeat) link.click()
  })
}
