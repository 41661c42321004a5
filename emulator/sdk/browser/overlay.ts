import type { FromWallet, Outcome } from './wire.ts'

/** The wallet in a layer over the page, for browsers that do not let a window open. Gives a function that removes it. */
export function openOverlay(origin: string, orderId: string, settle: (outcome: Outcome) => void): () => void {
  const layer = document.createElement('div')
  layer.className = 'paypal-checkout-sandbox'
  // Set one by one: a page's policy may forbid style attributes, never the object model.
  Object.assign(layer.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(0 0 0 / 60%)' })
  const frame = document.createElement('iframe')
  frame.title = 'PayPal Checkout Overlay'
  frame.name = `__zoid__paypal_checkout__${orderId}__`
  frame.className = 'paypal-checkout-sandbox-iframe'
  Object.assign(frame.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' })
  frame.src = `${origin}/checkoutnow?token=${encodeURIComponent(orderId)}`
  layer.append(frame)

  function hear(event: MessageEvent<FromWallet>): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    if (event.data?.source === 'paypal-emulator-wallet') settle(event.data.outcome)
  }
  window.addEventListener('message', hear)
  document.body.append(layer)
  return () => {
    window.removeEventListener('message', hear)
    layer.remove()
  }
}
