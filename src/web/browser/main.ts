import { cartHooks, checkoutHooks, pageHooks } from '#contract/hooks.ts'
import { islands } from '../islands/registry.ts'
import { startAddToCart, startAnnouncements } from './add-to-cart.ts'
import { startDrawers } from './drawer.ts'
import { adoptJQuery } from './events.ts'
import { startFragments } from './fragments.ts'
import { defineIslands } from './island-element.ts'
import { startMiniCart } from './mini-cart.ts'
import { focusFirstAlert } from './notices.ts'
import { startOrdering } from './ordering.ts'
import { startSpaceBar } from './plain-click.ts'
import { startQuantities } from './quantity.ts'
import { startResultCount } from './result-count.ts'
import { defineSettings } from './settings.ts'

document.body.classList.replace(pageHooks.noScriptClass, pageHooks.scriptClass)
defineSettings()
addEventListener('load', () => adoptJQuery())

// In this order, as the public events promise: button, fragments, announcement.
startAddToCart()
startMiniCart()
startFragments()
startAnnouncements()

startSpaceBar()
startDrawers()
startOrdering()
startResultCount()
startQuantities()
focusFirstAlert()
defineIslands(islands)

if (document.body.matches('.woocommerce-cart') || document.querySelector(cartHooks.form)) {
  void import('./cart-page.ts').then(({ startCartPage }) => startCartPage())
}
const checkoutForms = `${checkoutHooks.form}, ${checkoutHooks.orderPayForm}, ${checkoutHooks.addMethodForm}`
if (document.querySelector(checkoutForms)) {
  void import('./checkout-page.ts').then(({ startCheckoutPage }) => startCheckoutPage())
}
