import { cartHooks } from '#contract/cart/hooks.ts'
import { block, unblock } from './overlay.ts'

/** The busy state of cart and checkout panels during a request: a class that extensions read, and the white overlay. */

export function isProcessing(panel: Element): boolean {
  return panel.closest(`.${cartHooks.processingClass}`) !== null
}

export async function whileProcessing(panels: Iterable<HTMLElement>, work: () => Promise<void>): Promise<void> {
  const busy = [...panels].filter((panel) => !isProcessing(panel))
  for (const panel of busy) startProcessing(panel)
  try {
    await work()
  } finally {
    for (const panel of busy) stopProcessing(panel)
  }
}

export function startProcessing(panel: HTMLElement): void {
  panel.classList.add(cartHooks.processingClass)
  block(panel, { colour: 'white' })
}

export function stopProcessing(panel: HTMLElement): void {
  panel.classList.remove(cartHooks.processingClass)
  unblock(panel)
}
