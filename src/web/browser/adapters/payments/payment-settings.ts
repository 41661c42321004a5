import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { isRecord } from '../../runtime/request.ts'

/** Returns the page's payment settings; undefined without a client id. */
export function connectedSettings(): PaymentSettings | undefined {
  const value: unknown = Object.hasOwn(window, 'wcPPCPSettings') ? Reflect.get(window, 'wcPPCPSettings') : undefined
  if (!isRecord(value) || !isRecord(value.generalData)) return undefined
  const { clientId } = value.generalData
  // Proof of the cast: the server prints this global from a validated value.
  return typeof clientId === 'string' && clientId !== '' ? (value as PaymentSettings) : undefined
}
