import { sqlState } from './connect.ts'
import type { Sql } from './driver/sql.ts'

/** The database of a setting cannot be used: it does not answer, rejects the login, or is not suitable for a shop. */
export class DatabaseNotReachedError extends Error {
  override readonly name = 'DatabaseNotReachedError'
}

/** Identity of a database: the same value means the same database, by whichever address. */
export type Reached = { readonly identity: string }

/**
 * Checks that a database answers and is suitable for a shop, so that a failed start names the setting and the remedy.
 * @param setting that contains the address, as operators know it
 * @throws DatabaseNotReachedError with the setting, the server, the user and the cause; never the password
 */
export async function reach(sql: Sql, setting: string, url: string): Promise<Reached> {
  const { host, username, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? host
  const facts = await factsOf(sql).catch((error: unknown) => {
    const what = isRefusal(error) ? `does not let ${username || 'anybody'} in` : 'cannot be used'
    const cause = causeOf(error)
    throw new DatabaseNotReachedError(
      `${setting}: the database at ${server} ${what}: ${cause}${adviceOn(cause, searchParams)}`,
      { cause: error },
    )
  })
  const fault = facts && unsuitability(facts)
  if (fault) throw new DatabaseNotReachedError(`${setting}: the database ${facts.name} at ${server} ${fault}`)
  return { identity: facts?.identity ?? '' }
}

type Facts = {
  readonly name: string
  /** Id of the database, and start time of its server. */
  readonly identity: string
  readonly user: string
  readonly owner: string
  readonly encoding: string
  /** True if it contains a shop. */
  readonly made: boolean
  readonly mayMake: boolean
  /** A replica, or the old primary after a failover. */
  readonly readOnly: boolean
}

/** The queue needs a schema of its own, the shop tables in the current one. */
async function factsOf(sql: Sql): Promise<Facts | undefined> {
  const [facts] = await sql<Facts[]>`
    select datname as name, oid::text || '/' || extract(epoch from pg_postmaster_start_time())::text as identity, current_user as "user",
      pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding,
      to_regclass('schema_migrations') is not null as made,
      has_database_privilege(oid, 'create') and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMake",
      current_setting('transaction_read_only') = 'on' as "readOnly"
    from pg_database where datname = current_database()`
  return facts
}

/** An existing shop continues in any encoding: `doctor --machine` reports it. */
function unsuitability({ name, user, owner, encoding, made, mayMake, readOnly }: Facts): string | null {
  if (readOnly) return 'can only be read, as a replica can: name the primary'
  if (made) return null
  if (encoding !== 'UTF8')
    return `is encoded in ${encoding}, which holds not every name: make it as "create database … template template0 encoding 'UTF8'"`
  if (mayMake) return null
  return `belongs to ${owner}, and ${user} may make no tables in it: alter database "${name}" owner to "${user}"`
}

/** Explains the driver's or server's error about a query parameter of an address. */
function adviceOn(cause: string, parameters: URLSearchParams): string {
  const unknown = /(?:unrecognized configuration|unsupported startup) parameter(?: in options)?:? "?([\w.]+)/.exec(
    cause,
  )?.[1]
  if (unknown !== undefined && parameters.has(unknown))
    return `. Leave ${unknown} out of the address${unknown.startsWith('ssl') ? `; ${certificates}` : ''}`
  if (!parameters.has('sslmode')) return ''
  if (cause.includes('does not support SSL')) return '. It may speak no TLS, which ?sslmode asks for'
  return /certificate/i.test(cause) ? `. ${certificates}` : ''
}
const certificates = 'NODE_EXTRA_CA_CERTS names the file of an authority of your own'

/** SQLSTATE class 28 (PostgreSQL, appendix A); PgBouncer reports it by text, and uses 08P01 for many errors. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('28') || /authentication failed|no such user/.test(String(error)))
}

/** If all addresses of a name refuse, the error has no message of its own. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
