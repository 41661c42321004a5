import { startMessages } from './messages/messages.ts'
import { connectedSettings } from './payment-settings.ts'
import { startMiniCartWallet } from './wallet/mini-cart-wallet.ts'

/** Starts the wallet parts outside of the main form: the mini cart's buttons, and the pay-later messages. */
export function startPaymentParts(): void {
  const settings = connectedSettings()
  if (!settings) return
  startMiniCartWallet()
  startMessages(settings)
}
