import { startMessages } from './messages/messages.ts'
import { connectedSettings } from './payment-settings.ts'
import { startMiniCartWallet } from './wallet/mini-cart-wallet.ts'

/** What of the wallet stands around a page rather than in it: the mini cart's buttons, and the pay-later messages. */
export function startPaymentParts(): void {
  const settings = connectedSettings()
  if (!settings) return
  startMiniCartWallet()
  startMessages(settings)
}
