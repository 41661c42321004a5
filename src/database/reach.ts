import type postgres from 'postgres'
import { sqlState } from './connect.ts'

/** A database that a setting names cannot be used: nobody answers there, or whoever does lets nobody in by that name. */
export class DatabaseNotReachedError extends Error {
  override readonly name = 'DatabaseNotReachedError'
}

/**
 * Asks a database whether it answers, so that a start that comes to nothing says by which setting.
 * @param setting that holds the address, as operators know it
 * @throws DatabaseNotReachedError with the setting, the server, the user and the cause; never the password
 */
export async function reach(sql: postgres.Sql, setting: string, url: string): Promise<void> {
  try {
    await sql`select 1`
  } catch (error) {
    const { host, username, searchParams } = new URL(url)
    const server = searchParams.get('host') ?? host
    const what = isRefusal(error) ? `does not let ${username || 'anybody'} in` : 'cannot be used'
    throw new DatabaseNotReachedError(`${setting}: the database at ${server} ${what}: ${causeOf(error)}`, {
      cause: error,
    })
  }
}

/** SQLSTATE class 28 (PostgreSQL, appendix A); PgBouncer says it by words, and has 08P01 for much else. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('28') || /authentication failed|no such user/.test(String(error)))
}

/** Several addresses of one name that all refuse leave an error without words. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
