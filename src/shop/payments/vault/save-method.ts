import type { Transaction } from 'kysely'
import { cardMethodId, walletMethodId } from '#contract/payments/constants.ts'
import type { PaymentToken } from '#contract/paypal/vault.ts'
import { lockCustomer } from '#database/customers/customers.ts'
import { transaction } from '#database/engine/connect.ts'
import type { NewRow, Schema } from '#database/engine/schema/schema.ts'
import {
  findPaymentTokens,
  type PaymentTokenRow,
  savePaymentToken,
  setDefaultToken,
} from '#database/payments/payment-tokens.ts'
import { linkVaultCustomer } from '#database/payments/vault.ts'
import type { Tools } from '../../shared/tools.ts'

type Source = NonNullable<PaymentToken['payment_source']>
type Described = Pick<NewRow<'payment_tokens'>, 'kind' | 'brand' | 'last4' | 'expires' | 'account'>

/** Returns the description of a payment source: enough to recognize it, too little to pay with. */
export function describePaymentMethod({ card, paypal, venmo }: Source): Described {
  if (!card) {
    const account = (paypal?.email_address ?? venmo?.email_address ?? '').slice(0, 254)
    return { kind: 'wallet', brand: '', last4: '', expires: '', account }
  }
  return {
    kind: 'card',
    brand: (card.brand ?? '').toLowerCase().slice(0, 40),
    last4: /^\d{4}$/.exec(card.last_digits ?? '')?.[0] ?? '',
    expires: /^\d{4}-\d{2}$/.exec(card.expiry ?? '')?.[0] ?? '',
    account: '',
  }
}

/** Returns the shop's payment method that can charge a source. */
export function methodOf({ card }: Source): typeof cardMethodId | typeof walletMethodId {
  return card ? cardMethodId : walletMethodId
}

export type Keepable = {
  customerId: number
  method: string
  /** PayPal's id of the vault token. */
  token: string
  /** PayPal's vault customer. */
  providerCustomer: string | undefined
  source: Source
}

/**
 * Saves a payment method for a customer; the first becomes the default. Idempotent.
 * @returns null where it is saved for another customer
 */
export function savePaymentMethod(tools: Tools, means: Keepable): Promise<PaymentTokenRow | null> {
  return transaction(tools, (tx) => savePaymentMethodWithin(tools, tx, means))
}

/** Saves a payment method within the caller's transaction. */
export async function savePaymentMethodWithin(
  { clock, paymentEnvironment: environment }: Tools,
  tx: Transaction<Schema>,
  { customerId, method, token, providerCustomer, source }: Keepable,
): Promise<PaymentTokenRow | null> {
  // Locks the customer first: two concurrent saves must not both become the default.
  await lockCustomer(tx, customerId)
  if (providerCustomer) {
    await linkVaultCustomer(tx, { customer_id: customerId, environment, provider_id: providerCustomer })
  }
  const created_at = clock.now()
  const row = await savePaymentToken(tx, {
    customer_id: customerId,
    method,
    environment,
    token,
    ...describePaymentMethod(source),
    created_at,
  })
  if (!row) return null
  const all = await findPaymentTokens(tx, customerId, environment)
  if (!all.some(({ is_default }) => is_default)) await setDefaultToken(tx, row)
  return row
}
