import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { isRecord } from '../../runtime/request.ts'

/** The page's payment settings; undefined unless a client id makes the shop connected. */
export function connectedSettings(): PaymentSettings | undefined {
  const value: unknown = Object.hasOwn(window, 'wcPPCPSettings') ? Reflect.get(window, 'wcPPCPSettings') : undefined
  if (!isRecord(value) || !isRecord(value.generalData)) return undefined
  const { clientId } = value.generalData
  // Proof of the cast: the server prints this global from a value that its schema has passed.
  return typeof clientId === 'string' && clientId !== '' ? (value as PaymentSettings) : undefined
}
