import { pageHooks, pageMarks } from '#contract/shared/hooks.ts'
import { islands } from '../islands/registry.ts'
import { startAddToCart, startAnnouncements } from './adapters/cart/add-to-cart.ts'
import { startMiniCart } from './adapters/cart/mini-cart.ts'
import { startQuantities } from './adapters/cart/quantity.ts'
import { createCartQueue } from './adapters/cart/serial-queue.ts'
import { startOrdering } from './adapters/catalog/ordering.ts'
import { offerCustomButtons } from './adapters/payments/methods/custom-buttons.ts'
import { watchAddedNodes } from './adapters/translation/translator/watch-insertions.ts'
import { startPresses } from './press-handlers.ts'
import { type JQuery, onceJQuery, watchForJQuery } from './runtime/events.ts'
import { startFragments } from './runtime/fragments.ts'
import { defineIslands, firstUserActivity } from './runtime/island-element.ts'
import { startOffline } from './runtime/offline.ts'
import { startSpaceBar } from './runtime/plain-click.ts'
import { defineSettings } from './runtime/settings.ts'
import { waitForPaint } from './runtime/wait-for-paint.ts'

document.body.classList.replace(pageHooks.noScriptClass, pageHooks.scriptClass)
defineSettings()
if ('wc_checkout_params' in window) offerCustomButtons()

// A prerendered page sends no requests, stores nothing and reads no visitor data.
if (Reflect.get(document, 'prerendering') === true) {
  document.addEventListener('prerenderingchange', start, { once: true })
} else {
  start()
}

function start(): void {
  watchForJQuery()

  // Prepares classic scripts before they start: they wait for jQuery's ready event.
  const prepareClassic = (jQuery?: JQuery) => {
    jQuery?.holdReady?.(true)
    void import('./adapters/classic/classic-scripts.ts')
      .then(({ startClassicScripts }) => startClassicScripts())
      .finally(() => jQuery?.holdReady?.(false))
  }
  onceJQuery(prepareClassic)
  if ('wc_address_i18n_params' in window) prepareClassic()

  watchForReturn()
  if ('trp_data' in window) watchAddedNodes()

  // In the order that the public events promise: button, fragments, announcement.
  const cartQueue = createCartQueue()
  startAddToCart(cartQueue)
  startMiniCart(cartQueue)
  startFragments()
  startAnnouncements()

  startOffline()
  startSpaceBar()
  startPresses()
  startOrdering()
  // A plain listing has nothing to announce.
  if (location.search)
    void import('./adapters/catalog/result-count.ts').then(({ startResultCount }) => startResultCount())
  startQuantities()
  defineIslands(islands)

  // A fragment target is scrolled to soon after loading; everything else can wait for user activity.
  void (location.hash ? Promise.resolve() : firstUserActivity())
    .then(() => import('./adapters/theme/theme-scripts.ts'))
    .then(({ startTheme }) => startTheme())
  if (document.querySelector(Object.values(pageMarks).join())) {
    void Promise.all([import('./page-scripts.ts'), waitForPaint()]).then(([{ startPageScripts }]) => startPageScripts())
  }
  if ('wcPPCPSettings' in window) {
    void firstUserActivity()
      .then(() => import('./adapters/payments/payment-parts.ts'))
      .then(({ startPaymentParts }) => startPaymentParts())
  }
}

/**
 * Refreshes a page that the visitor returns to: from the back/forward cache, from another tab, or by the Back button.
 */
function watchForReturn(): void {
  const refresh = (persisted = false) =>
    void import('./runtime/refresh-on-return.ts').then(({ refreshOnReturn }) => refreshOnReturn(persisted))
  addEventListener('pageshow', ({ persisted }) => persisted && refresh(true))
  document.addEventListener('visibilitychange', () => document.hidden || refresh())
  // Back shows the HTTP cache's copy without revalidating it. 2: a back or forward navigation.
  if (performance.navigation.type === 2) refresh()
}
