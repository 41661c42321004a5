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
import type postgres from 'postgres'
import { driver } from './driver.ts'
import type { Schema } from './schema/schema.ts'

type Pool = { readonly kysely: Kysely<Schema>; readonly sql: postgres.Sql }

/**
 * Runs `work` in one transaction. Statements that it asks for without waiting in between (`Promise.all`) leave in one write and
 * are carried out in that order, each seeing what the one before has done or waited for: what does not hang on an answer need
 * not wait for it. `begin` goes with the first of them.
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

/** Told of the pool by which something was committed. Must not throw. */
export type News = (pool: postgres.Sql) => void

const newsOf = new WeakMap<Transaction<Schema>, Set<News>>()

/** Has `tell` called once the transaction has committed, once however often it is asked for. A process that dies is told nothing. */
export function afterCommit(tx: Transaction<Schema>, tell: News): void {
  newsOf.get(tx)?.add(tell)
}

/** Reads by one connection: what is asked for together leaves in one write. No transaction: each statement stands alone. */
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

/** Kysely's own transactions let one statement wait for the answer to another. */
function on(kysely: Kysely<Schema>, connection: Pipelined): Transaction<Schema> {
  const provider = { provideConnection: <Result>(use: (it: DatabaseConnection) => Promise<Result>) => use(connection) }
  return new Transaction({ ...shell, executor: kysely.getExecutor().withConnectionProvider(provider) })
}

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
/** What a transaction is made of beside its connection. It has begun already, so that nothing asks this driver for another. */
const shell = { config: { dialect }, dialect, driver: dialect.createDriver() }

class Pipelined implements DatabaseConnection {
  readonly #held: postgres.ReservedSql

  constructor(held: postgres.ReservedSql) {
    this.#held = held
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.ask(sql, parameters)
    const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(answer.command)
    return { rows: [...answer] as Row[], ...(changes && { numAffectedRows: BigInt(answer.count) }) }
  }

  // biome-ignore lint/correctness/useYield: nobody reads rows one by one
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('rows are not read one by one here')
  }

  protected ask(text: string, parameters: readonly unknown[] = []): Promise<postgres.RowList<postgres.Row[]>> {
    return this.#held.unsafe(text, [...parameters] as never[], { prepare: true, simple: false } as never)
  }
}

class InTransaction extends Pipelined {
  readonly #begun: Promise<unknown>
  /** Whether statements may leave already. */
  #open: 'to reads' | 'to none' | 'to all' = 'to reads'
  readonly #underWay = new Set<Promise<unknown>>()
  /** Why the transaction takes no more statements, if so. */
  #cause: unknown = null
  #end: 'commit' | 'rollback' | null = null

  constructor(held: postgres.ReservedSql, begin: string) {
    super(held)
    this.#begun = super.ask(begin).then(() => {
      this.#open = 'to all'
    })
    // Whoever asks first is told.
    this.#begun.catch(() => {})
  }

  /**
   * What only reads or locks leaves together with `begin`: should that fail, it did nothing. A write, and what was asked for
   * after it, waits to know that there is a transaction.
   */
  protected override async ask(text: string, parameters: readonly unknown[] = []) {
    const isOver = () => new Error(`the transaction is over: ${text}`)
    if (this.#end) throw isOver()
    // Read in any case, which puts the text together: it was written as a chain of hundreds of pieces, and the driver keeps that, ten
    // times as long, for each statement that a connection has prepared.
    const reads = onlyReads.test(text)
    if (this.#open === 'to reads' && !reads) this.#open = 'to none'
    if (this.#open === 'to none') await this.#begun
    // Something beside it has failed while it waited: it would be carried out by itself, and stay.
    if (this.#end === 'rollback') throw isOver()
    const asked = super.ask(text, parameters)
    this.#underWay.add(asked)
    try {
      if (this.#open === 'to all') return await asked
      const [, answer] = await Promise.all([this.#begun, asked])
      return answer
    } catch (error) {
      if (!(error instanceof driver.PostgresError) || error.code !== transactionAborted) {
        this.#cause = error
        throw error
      }
      // One before it has failed, and may not have been told of yet.
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
    // A server that was asked to commit a transaction in which something failed takes it back, and calls that a success.
    if (command === 'ROLLBACK') throw this.#cause ?? new Error('a statement of the transaction had failed')
  }

  /**
   * Whether or not it has begun. What something that failed has left under way beside it, and asks from now on, is refused: it
   * would be carried out behind the end, and stay.
   */
  async rollback(): Promise<void> {
    this.#end = 'rollback'
    await super.ask('rollback')
  }
}

/** Reads and locks. Jobs are put down by a `select` too. */
const onlyReads = /^\s*select (?!graphile_worker\.)/

/** Of whatever is asked after a statement has failed. */
const transactionAborted = '25P02'
