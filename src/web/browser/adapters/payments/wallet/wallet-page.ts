import { checkoutEvents } from '#contract/checkout/events.ts'
import { type ButtonPage, walletEvents } from '#contract/payments/constants.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen } from '../../../runtime/events.ts'
import { checkoutForm, showPlaceOrder, watchCheckout } from '../checkout-form.ts'
import { connectedSettings } from '../payment-settings.ts'
import { isReady, type ReadyTexts, watchReady } from './approval-state.ts'
import { buttonsKey } from './button-set.ts'
import { followWidth } from './follow-width.ts'
import { chosenItem, productForm, watchChoice, watchProduct } from './product-choice.ts'
import {
  cartPurchase,
  miniCartBox,
  miniCartPurchase,
  noticesWrapper,
  type Purchase,
  productPurchase,
} from './purchase.ts'
import { startByRedirect } from './start-redirect.ts'

/** The state of the button: visible on the page now, and able to open the wallet at a press. */
export type ButtonChoice = { shown: boolean; enabled: boolean }

/** The page has a button that pays by redirect, which the wallet's buttons replace. */
export const hasOwnButton = (page: ButtonPage): boolean =>
  page === 'checkout' || page === 'order_pay' || page === 'add_payment_method'

/** Reports the page's requirements for the button, now and at every change. @returns a function that stops watching. */
export function watchPage(page: ButtonPage, tell: (choice: ButtonChoice) => void): () => void {
  if (hasOwnButton(page)) {
    const form = checkoutForm()
    if (!form) return () => {}
    const standsForPlaceOrder = connectedSettings()?.ppcp_data.buttonPlacement === 'place_order'
    return watchCheckout(form, ({ wallet, terms }) => tell({ shown: wallet, enabled: terms || !standsForPlaceOrder }))
  }
  if (page === 'express') {
    const look = () => tell({ shown: !isReady(), enabled: true })
    look()
    return watchReady(look)
  }
  const form = page === 'product' ? productForm() : null
  if (form) return watchChoice(form, (buyable) => tell({ shown: true, enabled: buyable }))
  tell({ shown: page !== 'product', enabled: page !== 'product' })
  return () => {}
}

/**
 * Reports when a page's buttons must be rendered again: for another variation, or after changed cart data. @returns a
 * function that stops watching
 */
export function watchButtons(page: ButtonPage, again: () => void): () => void {
  const key = () => {
    const settings = connectedSettings()
    return settings && buttonsKey(page, settings)
  }
  let drawn = key()
  const form = page === 'product' ? productForm() : null
  const stops = [
    listen(document.body, walletEvents.cartData, () => {
      const next = key()
      if (next === drawn) return
      drawn = next
      again()
    }),
    form ? watchProduct(form, (change) => change === 'found' && again()) : () => {},
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Hides the page's own button, which comes back with each replaced markup. @returns a function that shows it again */
export function standInForOwnButton(): () => void {
  const show = (shown: boolean) => {
    const form = checkoutForm()
    if (form) showPlaceOrder(form, shown)
  }
  show(false)
  const stop = listen(document.body, checkoutEvents.updated, () => show(false))
  return () => {
    stop()
    show(true)
  }
}

/** Keeps the container of the buttons as wide as its neighbours. @returns a function that stops following */
export function followPageWidth(page: ButtonPage, place: HTMLElement): () => void {
  const followsProduct = connectedSettings()?.ppcp_data.product.button_width === 'add_to_cart'
  if (page === 'product' && followsProduct) {
    return followWidth(place, () =>
      allOf('.quantity, .single_add_to_cart_button', productForm() ?? document.createElement('form')),
    )
  }
  if (page === 'cart') return followWidth(place, () => allOf('.checkout-button'))
  return () => {}
}

/** @throws when the page lacks its form */
export async function purchaseOn(page: ButtonPage, texts: ReadyTexts): Promise<Purchase> {
  if (page === 'product') return productPurchase()
  if (page === 'minicart') return miniCartPurchase()
  if (page === 'cart') return cartPurchase()
  const byForm = await import('./form-purchase.ts')
  if (page === 'order_pay') return byForm.orderPayPurchase(texts)
  if (page === 'add_payment_method') return byForm.addMethodPurchase(texts)
  return page === 'express' ? byForm.expressPurchase(texts) : byForm.checkoutPurchase(texts)
}

export function errorContainer(page: ButtonPage): Element {
  if (page === 'minicart') return miniCartBox()
  return checkoutForm() ?? noticesWrapper()
}

/** Pays the page's current choice by redirect, for browsers that cannot load the provider's script. */
export function redirectFrom(page: ButtonPage, startUrl: string): void {
  if (page === 'product') {
    const form = productForm()
    const item = form && chosenItem(form)
    if (item) startByRedirect(startUrl, form, { 'add-to-cart': String(item.product_id) })
  } else {
    startByRedirect(startUrl, document.querySelector<HTMLFormElement>('form.woocommerce-cart-form'))
  }
}
