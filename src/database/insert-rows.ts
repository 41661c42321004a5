import { sql, type Transaction } from 'kysely'
import type { NewRow, Schema } from './schema.ts'

/**
 * Inserts rows of one table, all with the same columns, in their order. The statement reads the same for any number of them, so
 * that the database prepares it once, and it takes one value. Columns that no row names get their default.
 */
export async function insertRows<Table extends keyof Schema & string>(
  tx: Transaction<Schema>,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::text::json)`.execute(
    tx,
  )
}
