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
 * Keeps the means that an order was paid with, where its customer wanted that and the provider's answer says that it did;
 * in the transaction that records the money, so that no crash parts the two. `APPROVED` means that the token comes later,
 * by a notification, which finds the customer by what is adopted here. Doing it again changes nothing; a guest keeps
 * nothing. Calls nobody. What cannot be kept does not turn a payment that succeeded into one that failed.
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
    await keep(tools, tx, order, wallet)
    await sql`release savepoint keep_from_order`.execute(tx)
  } catch (error) {
    await sql`rollback to savepoint keep_from_order`.execute(tx)
    tools.log.error({ orderId: order.id, error: String(error) }, 'what was paid with could not be kept')
  }
}

/** What the provider says of keeping what was paid with, if anything. */
function vaultIn({ payment_source: source }: PaidWith) {
  return (source?.card ?? source?.paypal ?? source?.venmo)?.attributes?.vault
}

async function keep(tools: Tools, tx: Transaction<Schema>, order: PaidOrder, wallet: PaidWith): Promise<void> {
  const { customer_id: customerId } = order
  const source = wallet.payment_source
  const vault = vaultIn(wallet)
  if (customerId === null || !source || !vault) return
  const providerCustomer = vault.customer?.id
  if (vault.status === 'VAULTED' && vault.id) {
    // An order's card and wallet say of themselves what those of the vault do.
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
    if (!kept) tools.log.warn({ orderId: order.id }, 'a means that is kept for another customer was not kept')
    return
  }
  if (vault.status === 'APPROVED' && providerCustomer) {
    const row = { customer_id: customerId, environment: tools.paymentEnvironment, provider_id: providerCustomer }
    await linkVaultCustomer(tx, row)
  }
}
