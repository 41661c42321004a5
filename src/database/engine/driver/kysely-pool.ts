import type { PostgresPool } from 'kysely'
import type { Sql } from './sql.ts'

/** The pool as Kysely's dialect expects it. Statements are prepared. */
export function kyselyPool(sql: Pick<Sql, 'reserve'>): PostgresPool {
  const connect = async () => {
    const held = await sql.reserve()
    const query = async (text: string, values: readonly unknown[]) => {
      const rows = await held.unsafe(text, values, { prepare: true, simple: false })
      return { rows, command: rows.command, rowCount: rows.count }
    }
    return { query, release: held.release }
  }
  // The dialect calls no other members; `Database.close` closes the pool.
  return { connect, end: async () => {} } as unknown as PostgresPool
}
