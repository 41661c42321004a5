import { startMessages } from './messages.ts'
import { startMiniCartWallet } from './mini-cart-wallet.ts'
import { connectedSettings } from './payment-page.ts'

/** What of the wallet stands around a page rather than in it: the mini cart's buttons, and the pay-later messages. */
export function startPaymentParts(): void {
  const settings = connectedSettings()
  if (!settings) return
  startMiniCartWallet()
  startMessages(settings)
}
