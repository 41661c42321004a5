import { pageHooks, pageMarks } from '#contract/hooks.ts'
import { islands } from '../islands/registry.ts'
import { startAddToCart, startAnnouncements } from './add-to-cart.ts'
import { offerCustomButtons } from './checkout/custom-buttons.ts'
import { type JQuery, onceJQuery, watchForJQuery } from './events.ts'
import { startFragments } from './fragments.ts'
import { defineIslands, somebodyIsHere } from './island-element.ts'
import { startMiniCart } from './mini-cart.ts'
import { startOffline } from './offline.ts'
import { startOrdering } from './ordering.ts'
import { painted } from './painted.ts'
import { startSpaceBar } from './plain-click.ts'
import { startPresses } from './presses.ts'
import { startQuantities } from './quantity.ts'
import { defineSettings } from './settings.ts'
import { watchArrivals } from './translator/arrivals.ts'

document.body.classList.replace(pageHooks.noScriptClass, pageHooks.scriptClass)
defineSettings()
if ('wc_checkout_params' in window) offerCustomButtons()

// A page that is made ready before anybody has chosen it asks nothing, keeps nothing and reads nothing of the visitor.
if (Reflect.get(document, 'prerendering') === true) {
  document.addEventListener('prerenderingchange', start, { once: true })
} else {
  start()
}

function start(): void {
  watchForJQuery()

  // What classic scripts look for comes before they begin: they wait for jQuery to say that the page is ready.
  const prepareClassic = (jQuery?: JQuery) => {
    jQuery?.holdReady?.(true)
    void import('./classic/classic-scripts.ts')
      .then(({ startClassicScripts }) => startClassicScripts())
      .finally(() => jQuery?.holdReady?.(false))
  }
  onceJQuery(prepareClassic)
  if ('wc_address_i18n_params' in window) prepareClassic()

  watchForReturn()
  if ('trp_data' in window) watchArrivals()

  // In this order, as the public events promise: button, fragments, announcement.
  startAddToCart()
  startMiniCart()
  startFragments()
  startAnnouncements()

  startOffline()
  startSpaceBar()
  startPresses()
  startOrdering()
  // A plain listing has nothing to announce.
  if (location.search) void import('./result-count.ts').then(({ startResultCount }) => startResultCount())
  startQuantities()
  defineIslands(islands)

  // A target within the page is scrolled to soon after the page is there; the rest can wait until somebody is.
  void (location.hash ? Promise.resolve() : somebodyIsHere())
    .then(() => import('./theme/theme-scripts.ts'))
    .then(({ startTheme }) => startTheme())
  if (document.querySelector(Object.values(pageMarks).join())) {
    void Promise.all([import('./page-scripts.ts'), painted()]).then(([{ startPageScripts }]) => startPageScripts())
  }
  if ('wcPPCPSettings' in window) {
    void somebodyIsHere()
      .then(() => import('./payments/payment-parts.ts'))
      .then(({ startPaymentParts }) => startPaymentParts())
  }
}

/** Refreshes a page that the visitor returns to: from the back/forward cache, from another tab, or by the Back button. */
function watchForReturn(): void {
  const refresh = (persisted = false) =>
    void import('./refresh-on-return.ts').then(({ refreshOnReturn }) => refreshOnReturn(persisted))
  addEventListener('pageshow', ({ persisted }) => persisted && refresh(true))
  document.addEventListener('visibilitychange', () => document.hidden || refresh())
  // Back shows the HTTP cache's copy without revalidating it. 2: a back or forward navigation.
  if (performance.navigation.type === 2) refresh()
}
