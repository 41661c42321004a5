import { lockCustomer } from '#database/customers/customers.ts'
import { transaction } from '#database/engine/connect.ts'
import { findPaymentTokens, setDefaultToken } from '#database/payments/payment-tokens.ts'
import { deleteOwnedToken, vaultCustomerOwner } from '#database/payments/vault.ts'
import type { Tools } from '../../shared/tools.ts'
import { methodOf, savePaymentMethod } from '../vault/save-method.ts'

export const vaultEvents = 'VAULT.PAYMENT-TOKEN.'

/** `later`: the owner may be known soon; `unreachable`: PayPal could not be read. */
export type VaultOutcome = 'kept' | 'deleted' | 'known' | 'gone' | 'later' | 'unreachable'

/**
 * Processes PayPal's event of a vault token: an announced one is created, or one is deleted. A created one is read
 * first; a deleted id is never reused and needs no read.
 */
export async function recordVaultEvent(
  tools: Tools,
  { type, token }: { type: string; token: string | undefined },
): Promise<VaultOutcome> {
  if (!token) return 'known'
  if (type !== `${vaultEvents}CREATED`) return deleteLocal(tools, token)
  const read = await tools.paypal?.getPaymentToken(token)
  if (!read?.ok) return read?.kind === 'refused' && read.status === 404 ? 'gone' : 'unreachable'
  const { id, customer, payment_source: source } = read.value
  if (!customer?.id || !source) return 'known'
  const customerId = await vaultCustomerOwner(tools.db.kysely, tools.paymentEnvironment, customer.id)
  if (customerId === null) return 'later'
  const means = { customerId, method: methodOf(source), token: id, providerCustomer: customer.id, source }
  return (await savePaymentMethod(tools, means)) ? 'kept' : 'known'
}

async function deleteLocal(tools: Tools, token: string): Promise<'deleted' | 'known'> {
  const { paymentEnvironment: environment } = tools
  return transaction(tools, async (tx) => {
    const owner = await deleteOwnedToken(tx, environment, token)
    if (owner === null) return 'known'
    await lockCustomer(tx, owner)
    const [next] = await findPaymentTokens(tx, owner, environment)
    if (next && !next.is_default) await setDefaultToken(tx, next)
    return 'deleted'
  })
}
