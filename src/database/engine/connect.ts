import type { Socket } from 'node:net'
import { type IsolationLevel, Kysely, type Transaction } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type postgres from 'postgres'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { driver } from './driver.ts'
import { rejectLostConnections } from './lost-connections.ts'
import { pipelinedTransaction } from './pipeline.ts'
import type { Schema } from './schema/schema.ts'

/** One pool of connections, by two doors: typed queries, and SQL as written. */
export type Database = {
  readonly kysely: Kysely<Schema>
  readonly sql: postgres.Sql
  /** For what lives as long as its connection: locks that are held for long. Else the same as `sql`. */
  readonly session: postgres.Sql
  /** A pool for one who listens to what others announce, and closes it. */
  readonly ear: () => postgres.Sql
  /** One more connection, by which nothing is done but asked how the database is: all others may wait for somebody's lock. */
  readonly spare: postgres.Sql
  /** Lets running queries finish (for `closingSeconds`), then closes every connection, but for those of `ear`. */
  close(): Promise<void>
}

export type ConnectOptions = {
  /** Most connections at a time; 10 unless told. */
  readonly max?: number
  readonly onnotice?: (notice: postgres.Notice) => void
  /** Shows in `pg_stat_activity`. */
  readonly name?: string
  /**
   * Where a connection stays the same server's session, when the usual address leads to a pooler that gives it to another
   * client after every transaction. Statements by that are not prepared: the next one may meet a server that knows of none.
   */
  readonly directUrl?: string | null
  /**
   * Milliseconds after which a statement that waits for somebody else's lock fails with SQLSTATE 55P03; for ever unless told.
   * Not said through a pooler, which lends one server to many: its own configuration says it.
   */
  readonly lockTimeoutMs?: number
  /** Gives each connection its stream, already open; the driver's own way unless told. */
  readonly socket?: () => Promise<Socket>
}

/** How long at most running queries may still take when a pool is closed. */
export const closingSeconds = 5

/** Opens no connection by itself: the first query does. */
export function connect(
  url: string,
  { max = 10, onnotice, name = 'vitrine', socket, directUrl = null, lockTimeoutMs }: ConnectOptions = {},
): Database {
  const open = (to: string, most: number, prepare: boolean): postgres.Sql => {
    const { address, socketFolder } = splitAddress(to)
    const sql = driver(address, {
      ...(socketFolder !== null && { host: socketFolder }),
      max: most,
      prepare,
      ...(socket && { socket }),
      connect_timeout: 10,
      // The driver waits longer each time, up to twenty seconds: a shop is open again as soon as its database is.
      backoff: () => 0.1,
      connection: {
        application_name: name,
        ...(lockTimeoutMs !== undefined && directUrl === null && { lock_timeout: lockTimeoutMs }),
      },
      onnotice: onnotice ?? (() => {}),
      // int8 and numeric (what sum() of int8 gives) as numbers: our money, ids and counters are safe integers by design.
      types: { exact: { to: 20, from: [20, 1700], serialize: String, parse: exactNumber } },
    })
    return rejectLostConnections(sql)
  }
  const sql = open(url, max, directUrl === null)
  const session = directUrl === null ? sql : open(directUrl, sessions, true)
  const spare = open(url, 1, directUrl === null)
  const ear = () => open(directUrl ?? url, 1, true)
  const kysely = new Kysely<Schema>({ dialect: new PostgresJSDialect({ postgres: sql }) })
  const close = async () => {
    await Promise.all([...new Set([sql, session, spare])].map((pool) => pool.end({ timeout: closingSeconds })))
  }
  return { kysely, sql, session, ear, spare, close }
}

/** Connections that stay one session: the process's own lock, who translates, who asks an engine beside that. */
const sessions = 6

/**
 * Whether a rejection that nobody waits for is the driver's own: with every new connection it asks which array types there
 * are, apart from any query of ours, and a server that goes away just then leaves that answer rejected. The query that
 * opened the connection fails or is repeated by itself.
 */
export function isTypeLookupError(rejection: unknown): boolean {
  return rejection instanceof Error && 'query' in rejection && String(rejection.query).includes('pg_catalog.pg_type')
}

/** `postgres://user@localhost/name?host=/folder` is libpq's way to name a Unix socket; postgres.js wants it apart. */
function splitAddress(url: string): { address: string; socketFolder: string | null } {
  const parsed = new URL(url)
  const socketFolder = parsed.searchParams.get('host')
  parsed.searchParams.delete('host')
  return { address: parsed.href, socketFolder }
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the database holds ${text}, which is no safe whole number`)
  }
  return value
}

export type TransactionOptions = {
  readonly isolation?: IsolationLevel
  /** How often it runs at most; 5 unless told. */
  readonly tries?: number
}

/**
 * Runs `work` in one transaction and repeats all of it when PostgreSQL asks for that (serialisation failure, deadlock).
 * So `work` may run several times: it must do nothing but query, be short (some 20 ms) and never wait for the outside
 * world. A throw rolls back and reaches the caller. What it asks for together is sent together: `pipelined.ts`.
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
      // Full jitter: two transactions that met must not meet again.
      await clock.sleep(chance.fraction() * 5 * 2 ** attempt)
    }
  }
}

/**
 * Whether a newer version has changed a table meanwhile, so that what was prepared for it gives other columns than before. The
 * driver asks such a statement once more outside a transaction; inside one, which has failed by then, it tells.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof driver.PostgresError && error.routine === 'RevalidateCachedQuery'
}

/** Each repeat puts one connection in order, and may be given another: more than a pool has, for several migrations in a row. */
const mostOutdated = 100

const serialisationFailure = '40001'
const deadlockDetected = '40P01'

function asksForRepeat(error: unknown): boolean {
  const state = sqlState(error)
  return state === serialisationFailure || state === deadlockDetected
}

/** The five-character SQLSTATE of an error of the database, else undefined: `sqlState(error) === '23505'` is a duplicate. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof driver.PostgresError ? error.code : undefined
}

/**
 * Refused or lost connections, too many of them, a disk that is full, a server that is read-only, busy, shutting down or just
 * starting: what was asked for was not done, and may work in a moment.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // The server's socket is a file, which is gone while it starts again; other files that are missing are no trouble of its.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return troubleCodes.test(code) || error.message.startsWith('Connection terminated')
}

/** SQLSTATEs by class or whole, then the words of the driver and of the system. */
const troubleCodes =
  /^(08|53|58|57P|57014|55P03|25006|25P0[34]|40001|40P01|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH)/

/** The name of the constraint that a statement broke, when it broke one. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof driver.PostgresError ? error.constraint_name : undefined
}
