import type { PayPalMessagesComponentOptions, PayPalNamespace } from '@paypal/paypal-js'
import { PaymentFailure } from '../payment-failure.ts'
import type { MessageOptions } from '../provider.ts'

const settledAfterMs = 1000

/** A message by the script of generation 5. */
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
  // Proof of the cast: the typings name three currencies and closed lists of styles; what the script does not know of
  // either only makes it warn and fall back.
  await sdk.Messages(options as PayPalMessagesComponentOptions).render(container)
}

/** The provider's frame is as narrow as it was first drawn, and may be faded: it is wanted in full, also once it has settled. */
function showFrame(container: HTMLElement): void {
  const frame = container.querySelector('iframe')
  if (!frame) return
  frame.style.width = '100%'
  frame.style.opacity = '1'
}
