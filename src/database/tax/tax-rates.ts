import { type Kysely, sql } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

/** In order of entry: of two rates that match equally well, the first applies. */
export function listTaxRates(db: Kysely<Schema>): Promise<Row<'tax_rates'>[]> {
  return db.selectFrom('tax_rates').selectAll().orderBy('id').execute()
}

/**
 * Serializes writers: the state that a change is checked against must not change meanwhile. Readers are not blocked.
 */
export async function lockTaxRates(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table tax_rates in share row exclusive mode`.execute(tx)
}

export type TaxRateChanges = {
  readonly remove: readonly number[]
  readonly update: readonly { readonly id: number; readonly columns: TaxRateColumns }[]
  /** Inserted in this order after all others. */
  readonly insert: readonly TaxRateColumns[]
}

export type TaxRateColumns = Omit<NewRow<'tax_rates'>, 'id'>

export async function writeTaxRates(tx: Kysely<Schema>, { remove, update, insert }: TaxRateChanges): Promise<void> {
  if (remove.length > 0)
    await tx
      .deleteFrom('tax_rates')
      .where('id', 'in', [...remove])
      .execute()
  for (const { id, columns } of update) await tx.updateTable('tax_rates').set(columns).where('id', '=', id).execute()
  // Far below the maximum number of parameters per statement.
  for (let at = 0; at < insert.length; at += 1000) {
    await tx
      .insertInto('tax_rates')
      .values(insert.slice(at, at + 1000))
      .execute()
  }
}
