import { urls } from '#contract/shared/urls.ts'
import { lockCustomer } from '#database/customers/customers.ts'
import { transaction } from '#database/engine/connect.ts'
import {
  deletePaymentToken,
  findPaymentTokens,
  lockPaymentToken,
  type PaymentTokenRow,
  setDefaultToken,
} from '#database/payments/payment-tokens.ts'
import type { SavedMethodFacts } from '../../customers/account-facts.ts'
import type { Tools } from '../../shared/tools.ts'
import { enqueueTokenDeletion } from './delete-vault-token.ts'

/** Nonces that the links of a list of saved methods carry. */
export type SavedMethodNonces = { remove: string; makeDefault: string }

/** Lists the saved payment methods of a customer, the default first. */
export async function readSavedMethods(
  { db, clock, paymentEnvironment }: Pick<Tools, 'db' | 'clock' | 'paymentEnvironment'>,
  customerId: number,
  nonces: SavedMethodNonces,
): Promise<SavedMethodFacts[]> {
  const kept = await readChargeableMethods({ db, clock, paymentEnvironment }, customerId)
  return kept.map(({ method: _, ...one }) => ({
    ...one,
    deleteUrl: urls.deletePaymentMethod(one.id, nonces.remove),
    defaultUrl: one.isDefault ? null : urls.setDefaultPaymentMethod(one.id, nonces.makeDefault),
  }))
}

/** Lists them with the method that can charge each, without the actions. */
export async function readChargeableMethods(
  { db, clock, paymentEnvironment }: Pick<Tools, 'db' | 'clock' | 'paymentEnvironment'>,
  customerId: number,
): Promise<(Omit<SavedMethodFacts, 'deleteUrl' | 'defaultUrl'> & { method: string })[]> {
  const month = clock.now().toISOString().slice(0, 7)
  const rows = await findPaymentTokens(db.kysely, customerId, paymentEnvironment)
  return rows.map((row) => ({
    id: row.id,
    method: row.method,
    kind: row.kind,
    brand: row.brand,
    last4: row.last4,
    account: row.account,
    expires: row.expires,
    expired: row.expires !== '' && row.expires < month,
    isDefault: row.is_default,
  }))
}

/** Reports whether the customer has saved a vault token. */
export async function hasSaved(
  { db, paymentEnvironment }: Pick<Tools, 'db' | 'paymentEnvironment'>,
  customerId: number,
  { method, token }: { method: string; token: string },
): Promise<boolean> {
  const rows = await findPaymentTokens(db.kysely, customerId, paymentEnvironment)
  return rows.some((row) => row.method === method && row.token === token)
}

/** Deletes a saved payment method here and at PayPal. A repeat, or another customer's method, is `unknown`. */
export function deleteSavedMethod(tools: Tools, customerId: number, id: number): Promise<'deleted' | 'unknown'> {
  return withOwnedMethod<'deleted'>(tools, customerId, id, async (tx, row) => {
    await deletePaymentToken(tx, row.id)
    await enqueueTokenDeletion(tx, row)
    if (!row.is_default) return 'deleted'
    const [next] = await findPaymentTokens(tx, customerId, row.environment)
    if (next) await setDefaultToken(tx, next)
    return 'deleted'
  })
}

/** Makes a saved payment method the default. */
export function setDefaultMethod(tools: Tools, customerId: number, id: number): Promise<'default' | 'unknown'> {
  return withOwnedMethod<'default'>(tools, customerId, id, async (tx, row) => {
    await setDefaultToken(tx, row)
    return 'default'
  })
}

type Tx = Parameters<typeof lockPaymentToken>[0]

function withOwnedMethod<Result>(
  tools: Tools,
  customerId: number,
  id: number,
  work: (tx: Tx, row: PaymentTokenRow) => Promise<Result>,
): Promise<Result | 'unknown'> {
  return transaction(tools, async (tx) => {
    // Locks the customer first: two concurrent changes must not make two defaults.
    await lockCustomer(tx, customerId)
    const row = await lockPaymentToken(tx, id, customerId)
    return row?.environment === tools.paymentEnvironment ? work(tx, row) : 'unknown'
  })
}
