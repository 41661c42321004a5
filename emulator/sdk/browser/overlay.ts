import {
  type FromWallet,
  type Outcome,
  type ShippingQuestion,
  type ShippingVerdict,
  type ToWallet,
  type WalletTarget,
  walletPath,
} from './wire.ts'

export type Overlay = { answer(verdict: ShippingVerdict): void; remove(): void }

/** The wallet in a layer over the page, for browsers that do not let a window open. */
export function openOverlay(
  origin: string,
  target: WalletTarget,
  on: { settle(outcome: Outcome): void; shipping(question: ShippingQuestion): void },
): Overlay {
  const layer = document.createElement('div')
  layer.className = 'paypal-checkout-sandbox'
  // Set one by one: a page's policy may forbid style attributes, never the object model.
  Object.assign(layer.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(0 0 0 / 60%)' })
  const frame = document.createElement('iframe')
  frame.title = 'PayPal Checkout Overlay'
  frame.name = `__zoid__paypal_checkout__${target.id}__`
  frame.className = 'paypal-checkout-sandbox-iframe'
  Object.assign(frame.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' })
  frame.src = origin + walletPath(target)
  layer.append(frame)

  function hear(event: MessageEvent<FromWallet>): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    if (event.data?.source !== 'paypal-emulator-wallet' || event.data.token !== target.id) return
    if ('outcome' in event.data) on.settle(event.data.outcome)
    else on.shipping(event.data.question)
  }
  window.addEventListener('message', hear)
  document.body.append(layer)
  return {
    answer(verdict) {
      const message: ToWallet = { source: 'paypal-emulator-page', verdict }
      frame.contentWindow?.postMessage(message, origin)
    },
    remove() {
      window.removeEventListener('message', hear)
      layer.remove()
    },
  }
}
