import { noticeHooks } from '#contract/hooks.ts'
import { checkoutForm, watchCheckout } from './checkout-form.ts'
import { connectedSettings } from './payment-page.ts'
import { chosenItem, productForm, watchChoice } from './product-choice.ts'
import { cartPurchase, checkoutPurchase, type Purchase, productPurchase } from './purchase.ts'
import { startByRedirect } from './redirect-start.ts'

export type ButtonPage = 'product' | 'cart' | 'checkout'

/** Whether the button belongs on the page now, and whether a press on it may open the wallet. */
export type ButtonChoice = { shown: boolean; enabled: boolean }

/** Tells what the page asks of the button, now and at every change. @returns a function that stops watching. */
export function watchPage(page: ButtonPage, tell: (choice: ButtonChoice) => void): () => void {
  if (page === 'checkout') {
    const form = checkoutForm()
    if (!form) return () => {}
    const standsForPlaceOrder = connectedSettings()?.ppcp_data.buttonPlacement === 'place_order'
    return watchCheckout(form, ({ wallet, terms }) => tell({ shown: wallet, enabled: terms || !standsForPlaceOrder }))
  }
  const form = page === 'product' ? productForm() : null
  if (form) return watchChoice(form, (buyable) => tell({ shown: true, enabled: buyable }))
  tell({ shown: page === 'cart', enabled: page === 'cart' })
  return () => {}
}

export function purchaseOn(page: ButtonPage): Purchase {
  if (page === 'product') return productPurchase()
  return page === 'cart' ? cartPurchase() : checkoutPurchase()
}

export function errorContainer(): Element {
  return checkoutForm() ?? document.querySelector(noticeHooks.wrapper) ?? document.body
}

/** Pays by redirect with what the page holds now, for browsers that the provider's script does not reach. */
export function redirectFrom(page: ButtonPage, startUrl: string): void {
  if (page === 'product') {
    const form = productForm()
    const item = form && chosenItem(form)
    if (item) startByRedirect(startUrl, form, { 'add-to-cart': String(item.product_id) })
  } else {
    startByRedirect(startUrl, document.querySelector<HTMLFormElement>('form.woocommerce-cart-form'))
  }
}
