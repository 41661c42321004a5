import type { PayPalMessagesComponentOptions, PayPalNamespace } from '@paypal/paypal-js'
import { PaymentFailure } from '../payment-failure.ts'
import type { MessageOptions } from '../provider.ts'

const settledAfterMs = 1000

/** Renders a message by the v5 script. */
export async function showMessageV5(
  sdk: PayPalNamespace,
  container: HTMLElement,
  { amount, currency, placement, style, shown }: MessageOptions,
): Promise<void> {
  if (!sdk.Messages) throw new PaymentFailure('The payment script came without messages.')
  const options = {
    amount,
    currency,
    placement,
    style,
    onRender() {
      showFrame(container)
      setTimeout(() => showFrame(container), settledAfterMs)
      shown()
    },
  }
  // Proof of the cast: the typings name three currencies and closed lists of styles; for other values the script warns
  // and falls back.
  await sdk.Messages(options as PayPalMessagesComponentOptions).render(container)
}

/** Resets the width and opacity of the provider's frame, which keeps those of its first rendering. */
function showFrame(container: HTMLElement): void {
  const frame = container.querySelector('iframe')
  if (!frame) return
  frame.style.width = '100%'
  frame.style.opacity = '1'
}
