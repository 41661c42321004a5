import { pageMarks } from '#contract/shared/hooks.ts'

const has = (mark: keyof typeof pageMarks) => document.querySelector(pageMarks[mark]) !== null

/** What stands on a page, and what starts it. */
const parts: readonly [mark: keyof typeof pageMarks, load: () => Promise<() => void>][] = [
  ['cart', async () => (await import('./adapters/cart/cart-page.ts')).startCartPage],
  ['alert', async () => (await import('./adapters/notices/notices.ts')).focusFirstAlert],
  ['bar', async () => (await import('./adapters/notices/bottom-bars.ts')).startBottomBars],
  ['checkout', async () => (await import('./adapters/checkout/checkout-page.ts')).startCheckoutPage],
  ['country', async () => (await import('./adapters/addresses/address-forms.ts')).startAddressForms],
  ['password', async () => (await import('./adapters/customers/passwords.ts')).startPasswords],
]

/**
 * Loads what only some pages need, by what stands on this one: all at once, and starts one after the other, so that a press
 * in between is not kept waiting. A part that fails takes only itself down.
 */
export async function startPageScripts(): Promise<void> {
  for (const loading of parts.filter(([mark]) => has(mark)).map(([, load]) => load())) {
    await loading.then((start) => start()).catch(reportError)
    await new Promise((resolve) => setTimeout(resolve))
  }
}
