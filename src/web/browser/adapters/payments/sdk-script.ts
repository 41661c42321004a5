import type { PayPalNamespace } from '@paypal/paypal-js'
import { walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import { trigger } from '../../runtime/events.ts'
import { PaymentFailure } from './payment-failure.ts'
import { notLoaded, type SdkHost } from './sdk-loader.ts'

/** Whoever waits has been told long before. */
const timeoutMs = 30_000
/** For the text of a refusal, which a provider that refuses gives at once. */
const textTimeoutMs = 5_000
/** A function of the v5 script that ends all its components; not enumerable and in no typing. */
const destroyKey = '__internal_destroy__'

/** The provider's v5 script in this page: one script element, one global. */
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
          // Read by now, and nobody else's business.
          script.removeAttribute('data-csp-nonce')
          settle()
        }
        const fail = (cause: Error) =>
          settled(() => {
            script.remove()
            reject(cause)
          })
        giveUp = () => {
          // A script that comes after all runs only in the document that has asked for it.
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
      // Each button of the page asks for the script; the reason is one line.
      if (failure.message !== told) console.error('the payment script did not load:', failure.message)
      told = failure.message
      trigger(document.body, paymentEvents.sdkFailed, failure)
    },
  }
}
