import { type Kysely, sql, type Transaction } from 'kysely'
import { insertRows } from '../engine/insert-rows.ts'
import type { NewRow, RowChange, Schema } from '../engine/schema/schema.ts'
import { announceChange, mayBeAnnounced } from '../operations/announce-change.ts'
import type { CustomerRow } from './customers.ts'

type Tx = Transaction<Schema>

/** Finds accounts by email address, and locks them. */
export function lockCustomersByEmail(tx: Tx, emails: readonly string[]): Promise<CustomerRow[]> {
  if (emails.length === 0) return Promise.resolve([])
  return tx
    .selectFrom('customers')
    .selectAll()
    .where('email', 'in', [...emails])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export function listCustomersAfter(db: Kysely<Schema>, after: number, limit: number): Promise<CustomerRow[]> {
  return db.selectFrom('customers').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Inserts accounts, and announces them to webhooks. */
export async function insertCustomers(tx: Tx, customers: readonly NewRow<'customers'>[]): Promise<void> {
  if (customers.length === 0) return
  await insertRows(tx, 'customers', customers)
  if (!mayBeAnnounced(tx, ['customer.created'])) return
  const emails = customers.map(({ email }) => email)
  const rows = await tx.selectFrom('customers').select('id').where('email', 'in', emails).execute()
  await announceChange(tx, 'customer.created', ...rows.map(({ id }) => id))
}

/**
 * Updates an account by a file. A tax exemption is repeated in the cart's state, whose version makes a concurrent
 * write of the cart repeat itself.
 */
export async function updateImportedCustomer(
  tx: Tx,
  id: number,
  change: RowChange<'customers'>,
  exempt: boolean | null,
): Promise<void> {
  await tx.updateTable('customers').set(change).where('id', '=', id).execute()
  await announceChange(tx, 'customer.updated', id)
  if (exempt === null) return
  await sql`update customers set vat_exempt = ${exempt}, state_version = state_version + 1,
      state = jsonb_set(state, '{vatExempt}', to_jsonb(${exempt}::boolean))
    where id = ${id}::bigint`.execute(tx)
}
