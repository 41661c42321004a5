import type { PayPalNamespace } from '@paypal/paypal-js'
import { walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import { trigger } from '../../runtime/events.ts'
import { PaymentFailure } from './payment-failure.ts'
import { notLoaded, type SdkHost } from './sdk-loader.ts'

/** The shopper has seen the slow and late messages long before. */
const timeoutMs = 30_000
/** Timeout for the text of a refusal, which a provider that refuses sends at once. */
const textTimeoutMs = 5_000
/** A function of the v5 script that ends all its components; it is not enumerable and has no typing. */
const destroyKey = '__internal_destroy__'

/** Loads the provider's v5 script into this page: one script element, one global. */
export function sdkScriptHost(cspNonce: string | undefined): SdkHost<PayPalNamespace> {
  let element: HTMLScriptElement | undefined
  let told: string | undefined
  let giveUp = () => {}

  return {
    run(url, attributes) {
      return new Promise((resolve, reject) => {
        const script = document.createElement('script')
        element = script
        for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
        if (cspNonce) {
          script.nonce = cspNonce
          script.setAttribute('data-csp-nonce', cspNonce)
        }
        script.src = url

        const settled = (settle: () => void) => {
          clearTimeout(timer)
          // The script has read the nonce, which other scripts must not see.
          script.removeAttribute('data-csp-nonce')
          settle()
        }
        const fail = (cause: Error) =>
          settled(() => {
            script.remove()
            reject(cause)
          })
        giveUp = () => {
          // A script that loads late runs only in the document that requested it.
          document.implementation.createHTMLDocument().adoptNode(script)
          fail(new PaymentFailure(notLoaded, { cause: new Error('the payment script is too slow') }))
        }
        const timer = setTimeout(giveUp, timeoutMs)
        script.addEventListener('error', () => fail(new Error('the payment script was refused or not reached')))
        script.addEventListener('load', () => {
          const sdk = window.paypal
          if (sdk) settled(() => resolve(sdk))
          else fail(new Error('the payment script left no global'))
        })
        document.head.prepend(script)
      })
    },

    giveUp: () => giveUp(),

    async errorText(url) {
      try {
        const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(textTimeoutMs) })
        return response.ok ? undefined : await response.text()
      } catch {
        return undefined
      }
    },

    destroy(sdk) {
      const destroy: unknown = Reflect.get(sdk, destroyKey)
      if (typeof destroy === 'function') destroy.call(sdk)
      element?.remove()
      if (window.paypal === sdk) Reflect.deleteProperty(window, 'paypal')
    },

    announceCleanup: (sdk) => trigger(document.body, walletEvents.cleanup, sdk),
    announceLoaded: (sdk, parameters) => trigger(document.body, paymentEvents.sdkLoaded, sdk, parameters),
    announceFailure(failure) {
      // Each button of the page requests the script; the reason is logged once.
      if (failure.message !== told) console.error('the payment script did not load:', failure.message)
      told = failure.message
      trigger(document.body, paymentEvents.sdkFailed, failure)
    },
  }
}
