import { sql, type Transaction } from 'kysely'
import type { NewRow, Schema } from './schema/schema.ts'

/**
 * Inserts rows of one table, all with the same columns, in order. The statement's text does not depend on their number,
 * so that it is prepared once, and it takes one parameter. Columns in no row get their default.
 * @throws TypeError if a row has other columns than the first
 */
export async function insertRows<Table extends keyof Schema & string>(
  tx: Transaction<Schema>,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  for (const row of rows) {
    if (Object.keys(row).length !== names.length || !names.every((name) => name in row)) {
      throw new TypeError(`rows for ${table} have different columns`)
    }
  }
  const columns = sql.join(names.map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${jsonOf(rows)}::text::json)`.execute(tx)
}

/** A lone surrogate, which databases reject, becomes U+FFFD. */
function jsonOf(rows: readonly unknown[]): string {
  const json = JSON.stringify(rows)
  if (!json.includes('\\ud')) return json
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
