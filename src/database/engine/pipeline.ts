import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  type IsolationLevel,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import { DatabaseError } from './driver/errors.ts'
import type { Rows } from './driver/rows.ts'
import type { AnyRow, ReservedSql, Sql } from './driver/sql.ts'
import type { Schema } from './schema/schema.ts'

type Pool = { readonly kysely: Kysely<Schema>; readonly sql: Sql }

/**
 * Runs `work` in one transaction. Concurrent statements (`Promise.all`) are sent in one write and executed in that
 * order, each with the effects of the one before: independent statements do not wait for answers. `begin` is sent with
 * the first of them.
 */
export async function pipelinedTransaction<Result>(
  { kysely, sql }: Pool,
  work: (tx: Transaction<Schema>) => Promise<Result>,
  isolation?: IsolationLevel,
): Promise<Result> {
  const held = await sql.reserve()
  try {
    const connection = new InTransaction(held, isolation ? `start transaction isolation level ${isolation}` : 'begin')
    try {
      const tx = on(kysely, connection)
      const news = new Set<News>()
      newsOf.set(tx, news)
      const result = await work(tx)
      await connection.commit()
      for (const tell of news) tell(sql)
      return result
    } catch (error) {
      await connection.rollback()
      throw error
    }
  } finally {
    held.release()
  }
}

/** Called with the pool on which the transaction was committed. Must not throw. */
export type News = (pool: Sql) => void

const newsOf = new WeakMap<Transaction<Schema>, Set<News>>()

/** Calls `tell` once after the commit, however often it is registered. It is lost if the process dies. */
export function afterCommit(tx: Transaction<Schema>, tell: News): void {
  newsOf.get(tx)?.add(tell)
}

/**
 * Runs reads on one connection: concurrent ones are sent in one write. There is no transaction: each statement stands
 * alone.
 */
export async function readTogether<Result>(
  { kysely, sql }: Pool,
  read: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  const held = await sql.reserve()
  try {
    return await read(on(kysely, new Pipelined(held)))
  } finally {
    held.release()
  }
}

/** Kysely's own transactions wait for each answer before the next statement. */
function on(kysely: Kysely<Schema>, connection: Pipelined): Transaction<Schema> {
  const provider = { provideConnection: <Result>(use: (it: DatabaseConnection) => Promise<Result>) => use(connection) }
  const tx = new Transaction<Schema>({ ...shell, executor: kysely.getExecutor().withConnectionProvider(provider) })
  poolOf.set(tx, kysely)
  return tx
}

const poolOf = new WeakMap<Kysely<Schema>, Kysely<Schema>>()

/** Returns the pool on which a transaction of this file runs; any other Kysely instance is returned as it is. */
export const poolUnder = (db: Kysely<Schema>): Kysely<Schema> => poolOf.get(db) ?? db

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
/** Parts of a transaction beside its connection. It has begun already, so this driver is never asked to begin one. */
const shell = { config: { dialect }, dialect, driver: dialect.createDriver() }

class Pipelined implements DatabaseConnection {
  readonly #held: ReservedSql

  constructor(held: ReservedSql) {
    this.#held = held
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.ask(sql, parameters)
    const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(answer.command)
    return { rows: [...answer] as Row[], ...(changes && { numAffectedRows: BigInt(answer.count) }) }
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported in a transaction')
  }

  protected ask(text: string, parameters: readonly unknown[] = []): Promise<Rows<AnyRow[]>> {
    return this.#held.unsafe(text, parameters, { prepare: true, simple: false })
  }
}

class InTransaction extends Pipelined {
  readonly #begun: Promise<unknown>
  /** Which statements may be sent already. */
  #open: 'to reads' | 'to none' | 'to all' = 'to reads'
  readonly #underWay = new Set<Promise<unknown>>()
  /** The reason why the transaction accepts no more statements. */
  #cause: unknown = null
  #end: 'commit' | 'rollback' | null = null

  constructor(held: ReservedSql, begin: string) {
    super(held)
    this.#begun = super.ask(begin).then(() => {
      this.#open = 'to all'
    })
    // The first statement reports the error.
    this.#begun.catch(() => {})
  }

  /**
   * Reads and locks are sent together with `begin`: if that fails, they had no effect. A write, and statements after
   * it, wait for its success.
   */
  protected override async ask(text: string, parameters: readonly unknown[] = []) {
    const isOver = () => new Error(`transaction has ended: ${text}`)
    if (this.#end) throw isOver()
    // The test also flattens the string: it was concatenated from hundreds of pieces, and the driver keeps that form,
    // ten times as long, for each prepared statement of a connection.
    const reads = onlyReads.test(text)
    if (this.#open === 'to reads' && !reads) this.#open = 'to none'
    if (this.#open === 'to none') await this.#begun
    // A concurrent statement failed while this one waited: sent now, it would run outside of the transaction, and
    // persist.
    if (this.#end === 'rollback') throw isOver()
    const asked = super.ask(text, parameters)
    this.#underWay.add(asked)
    try {
      if (this.#open === 'to all') return await asked
      const [, answer] = await Promise.all([this.#begun, asked])
      return answer
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== transactionAborted) {
        this.#cause = error
        throw error
      }
      // An earlier statement has failed, and may not have been reported yet.
      await Promise.allSettled(this.#underWay)
      throw this.#cause ?? error
    } finally {
      this.#underWay.delete(asked)
    }
  }

  async commit(): Promise<void> {
    const committed = this.ask('commit')
    this.#end = 'commit'
    const { command } = await committed
    // A server answers COMMIT of a failed transaction with a rollback, and reports success.
    if (command === 'ROLLBACK') throw this.#cause ?? new Error('a statement of the transaction failed')
  }

  /**
   * Rolls back, whether or not the transaction has begun. Later statements of concurrent branches are rejected: sent
   * now, they would run after the rollback, and persist.
   */
  async rollback(): Promise<void> {
    this.#end = 'rollback'
    await super.ask('rollback')
  }
}

/** Reads and locks. Jobs are enqueued by a `select` too. */
const onlyReads = /^\s*select (?!graphile_worker\.)/

/** SQLSTATE of statements after a failed one. */
const transactionAborted = '25P02'
