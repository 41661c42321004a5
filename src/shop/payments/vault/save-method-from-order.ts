import { sql, type Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { linkVaultCustomer } from '#database/payments/vault.ts'
import type { Tools } from '../../shared/tools.ts'
import { savePaymentMethodWithin } from './save-method.ts'

type PaidOrder = Pick<OrderRow, 'id' | 'customer_id' | 'payment_method'>
type PaidWith = Pick<WalletOrder, 'payment_source'>

/**
 * Saves the payment method of an order, where the customer requested it and PayPal's response confirms it. Runs in the
 * transaction that records the payment, and calls no API. `APPROVED` means that a webhook brings the token later; it
 * finds the customer by the link stored here. Idempotent; guests save nothing. A failure never fails the payment.
 */
export async function saveMethodFromOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: PaidOrder,
  wallet: PaidWith,
): Promise<void> {
  if (order.customer_id === null || !vaultIn(wallet)) return
  await sql`savepoint keep_from_order`.execute(tx)
  try {
    await saveFromWallet(tools, tx, order, wallet)
    await sql`release savepoint keep_from_order`.execute(tx)
  } catch (error) {
    await sql`rollback to savepoint keep_from_order`.execute(tx)
    tools.log.error({ orderId: order.id, error: String(error) }, 'payment method of the order not saved')
  }
}

/** Returns PayPal's vault result of a payment, if any. */
function vaultIn({ payment_source: source }: PaidWith) {
  return (source?.card ?? source?.paypal ?? source?.venmo)?.attributes?.vault
}

async function saveFromWallet(
  tools: Tools,
  tx: Transaction<Schema>,
  order: PaidOrder,
  wallet: PaidWith,
): Promise<void> {
  const { customer_id: customerId } = order
  const source = wallet.payment_source
  const vault = vaultIn(wallet)
  if (customerId === null || !source || !vault) return
  const providerCustomer = vault.customer?.id
  if (vault.status === 'VAULTED' && vault.id) {
    // Card and wallet of an order have the same fields as those of the vault.
    const kept = await savePaymentMethodWithin(tools, tx, {
      customerId,
      method: order.payment_method,
      token: vault.id,
      providerCustomer,
      source: {
        ...(source.card ? { card: source.card } : {}),
        ...(source.paypal ? { paypal: { email_address: source.paypal.email_address } } : {}),
        ...(source.venmo ? { venmo: { email_address: source.venmo.email_address } } : {}),
      },
    })
    if (!kept) tools.log.warn({ orderId: order.id }, 'payment method already saved for another customer')
    return
  }
  if (vault.status === 'APPROVED' && providerCustomer) {
    const row = { customer_id: customerId, environment: tools.paymentEnvironment, provider_id: providerCustomer }
    await linkVaultCustomer(tx, row)
  }
}
