import { checkoutEvents } from '#contract/checkout/events.ts'
import { billingTokenField, errorReturnHash } from '#contract/payments/constants.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { forgetProviderValues, mirrorFormValues } from './form-values.ts'
import { connectedSettings } from './payment-settings.ts'

/** Keeps the form in step with a payment in progress: an approval that is no longer usable is removed. */
export function startPaymentReturns(form: HTMLFormElement): void {
  listen(document.body, checkoutEvents.error, () => forgetProviderValues(form))
  listen(document.body, checkoutEvents.updated, () => mirrorFormValues(form))
  const look = () => takeErrorReturn(form)
  look()
  addEventListener('hashchange', look)
  const token = form.elements.namedItem(billingTokenField)
  if (token instanceof HTMLInputElement) {
    fillFromToken(form, token)
    token.addEventListener('change', () => fillFromToken(form, token))
  }
}

/** Fills the payer's data from the token of an agreement that the form or a script contains. */
function fillFromToken(form: HTMLFormElement, { value }: HTMLInputElement): void {
  const settings = connectedSettings()
  if (value === '' || !settings) return
  void import('./wallet/form-purchase.ts').then(({ fillFromAgreement }) => fillFromAgreement(form, settings))
}

/** Handles the error parameter after a payment failed off site: the wallet is offered again, and the URL is cleaned. */
function takeErrorReturn(form: HTMLFormElement): void {
  if (new URLSearchParams(location.hash.slice(1)).get(marker) !== 'true') return
  history.replaceState(history.state, '', location.pathname + location.search)
  forgetProviderValues(form)
  trigger(document.body, checkoutEvents.update, { update_shipping_method: false })
}

const [marker = ''] = errorReturnHash.split('=')
