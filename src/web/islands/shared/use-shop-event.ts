import { useEffect, useEffectEvent } from 'react'
import { listen, type ShopListener } from '../../browser/runtime/events.ts'

/**
 * Listens to a public event while the component is mounted: through jQuery when the page has it, else natively.
 * @param listener sees the component's current props and state; returning false vetoes an event that asks for permission
 * @param target the page's body by default, where the shop raises its events; must be a lasting node
 */
export function useShopEvent(name: string, listener: ShopListener, target?: EventTarget): void {
  const heard = useEffectEvent(listener)
  useEffect(() => listen(target ?? document.body, name, (event, ...args) => heard(event, ...args)), [name, target])
}
