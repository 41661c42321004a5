import type { Socket } from 'node:net'
import { type IsolationLevel, Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import type { Notice } from './driver/connection.ts'
import { DatabaseError, isOutdated } from './driver/errors.ts'
import { kyselyPool } from './driver/kysely-pool.ts'
import { serverOf } from './driver/server-address.ts'
import { openPool, type Sql } from './driver/sql.ts'
import { pipelinedTransaction } from './pipeline.ts'
import type { Schema } from './schema/schema.ts'

/** One pool of connections with two interfaces: typed queries, and raw SQL. */
export type Database = {
  readonly kysely: Kysely<Schema>
  readonly sql: Sql
  /** For state of a connection, such as long-held locks. Otherwise the same as `sql`. */
  readonly session: Sql
  /** Opens a dedicated LISTEN connection; the caller closes it. */
  readonly openListenConnection: () => Sql
  /** One more connection, only for health checks: all others may be waiting for a lock. */
  readonly spare: Sql
  /** Lets running queries finish (for `closingSeconds`), then closes all connections except LISTEN connections. */
  close(): Promise<void>
}

export type ConnectOptions = {
  /** Maximum number of connections; 10 by default. */
  readonly max?: number
  readonly onnotice?: (notice: Notice) => void
  /** Shown in `pg_stat_activity`. */
  readonly name?: string
  /**
   * Address with server sessions, if the usual one is a pooler in transaction mode. Statements through a pooler are not
   * prepared: the next one may reach another server process.
   */
  readonly directUrl?: string | null
  /**
   * Milliseconds after which a statement that waits for a lock fails with SQLSTATE 55P03; unlimited by default. Not
   * sent through a pooler, whose own configuration sets it.
   */
  readonly lockTimeoutMs?: number
  /** Opens the stream of each connection; by default the driver does. */
  readonly socket?: () => Promise<Socket>
}

/** How long running queries may take when a pool is closed. */
export const closingSeconds = 5

/** Creates a pool without opening a connection: the first query does. */
export function connect(
  url: string,
  { max = 10, onnotice, name = 'vitrine', socket, directUrl = null, lockTimeoutMs }: ConnectOptions = {},
): Database {
  const open = (to: string, most: number, prepare: boolean): Sql => {
    const settings = lockTimeoutMs !== undefined && directUrl === null ? { lock_timeout: String(lockTimeoutMs) } : {}
    return openPool(
      { ...serverOf(to, name, settings), prepare, onnotice: onnotice ?? (() => {}), ...(socket && { socket }) },
      most,
    )
  }
  const sql = open(url, max, directUrl === null)
  const session = directUrl === null ? sql : open(directUrl, sessions, true)
  const spare = open(url, 1, directUrl === null)
  const openListenConnection = () => open(directUrl ?? url, 1, true)
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: kyselyPool(sql) }) })
  const close = async () => {
    await Promise.all([...new Set([sql, session, spare])].map((pool) => pool.end({ timeout: closingSeconds })))
  }
  return { kysely, sql, session, openListenConnection, spare, close }
}

/** Connections that hold advisory locks: of the process, of the translation queue, and of an engine call beside it. */
const sessions = 6

export type TransactionOptions = {
  readonly isolation?: IsolationLevel
  /** Maximum number of attempts; 5 by default. */
  readonly tries?: number
}

/**
 * Runs `work` in one transaction, and repeats all of it on a serialization failure or deadlock. It may run several
 * times: it must only query, be short (about 20 ms), and never wait for external services. A thrown error rolls back
 * and reaches the caller. Concurrent statements are sent together: `pipelined.ts`.
 */
export async function transaction<Result>(
  { db, clock, chance }: { readonly db: Database; readonly clock: Clock; readonly chance: Chance },
  work: (tx: Transaction<Schema>) => Promise<Result>,
  { isolation, tries = 5 }: TransactionOptions = {},
): Promise<Result> {
  let outdated = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pipelinedTransaction(db, work, isolation)
    } catch (error) {
      if (isOutdated(error) && outdated < mostOutdated) {
        outdated += 1
        attempt -= 1
        continue
      }
      if (attempt >= tries || !asksForRepeat(error)) throw error
      // Full jitter: two conflicting transactions must not meet again.
      await clock.sleep(chance.fraction() * 5 * 2 ** attempt)
    }
  }
}

/**
 * How often a transaction is repeated because of an outdated statement; outside of transactions the driver does it. Each
 * repetition repairs one connection, and may get another: more than a pool has, for several migrations in a row.
 */
const mostOutdated = 100

const serialisationFailure = '40001'
const deadlockDetected = '40P01'

function asksForRepeat(error: unknown): boolean {
  const state = sqlState(error)
  return state === serialisationFailure || state === deadlockDetected
}

/** Returns the SQLSTATE of a database error, otherwise undefined: `sqlState(error) === '23505'` is a duplicate. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/**
 * Detects refused, lost or exhausted connections, a full disk, and a read-only, busy, stopping or starting server: the
 * query had no effect, and a retry may succeed.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // The server's socket file is missing while it restarts; other missing files are unrelated.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return troubleCodes.test(code) || error.message.startsWith('Connection terminated')
}

/** SQLSTATEs by class or whole, then messages of the driver and the system. */
const troubleCodes =
  /^(08|53|58|57P|57014|55P03|25006|25P0[34]|40001|40P01|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH)/

/** Returns the name of the violated constraint, if there is one. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.constraint : undefined
}
