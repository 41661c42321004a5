import { pageMarks } from '#contract/shared/hooks.ts'

const has = (mark: keyof typeof pageMarks) => document.querySelector(pageMarks[mark]) !== null

/** The page marks, and the scripts that they start. */
const parts: readonly [mark: keyof typeof pageMarks, load: () => Promise<() => void>][] = [
  ['cart', async () => (await import('./adapters/cart/cart-page.ts')).startCartPage],
  ['alert', async () => (await import('./adapters/notices/notices.ts')).focusFirstAlert],
  ['bar', async () => (await import('./adapters/notices/bottom-bars.ts')).startBottomBars],
  ['checkout', async () => (await import('./adapters/checkout/checkout-page.ts')).startCheckoutPage],
  ['country', async () => (await import('./adapters/addresses/address-forms.ts')).startAddressForms],
  ['password', async () => (await import('./adapters/customers/passwords.ts')).startPasswords],
]

/**
 * Loads the scripts that this page needs in parallel, and starts each in its own task, so that presses in between are
 * answered. A failing part does not affect the others.
 */
export async function startPageScripts(): Promise<void> {
  for (const loading of parts.filter(([mark]) => has(mark)).map(([, load]) => load())) {
    await loading.then((start) => start()).catch(reportError)
    await new Promise((resolve) => setTimeout(resolve))
  }
}
