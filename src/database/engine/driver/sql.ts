import type { ConnectionOptions } from './connection.ts'
import { DatabaseError } from './errors.ts'
import { Listener } from './listener.ts'
import { Pool } from './pool.ts'
import { type AnyQuery, type OpenCursor, Query, type QueryOptions, type Send } from './query.ts'
import type { Rows } from './rows.ts'
import { ColumnValues, Identifier, TypedValue, typeIds } from './statement-text.ts'

/** A row whose columns were not declared. */
// biome-ignore lint/suspicious/noExplicitAny: only the statement knows what it selects
export type AnyRow = Record<string, any>

type RowValues = Readonly<Record<string, unknown>>

/** A part of a statement. */
export type Fragment = Query<Rows<AnyRow[]>>

/** The template tag for statements, and what belongs to it. */
export type Statements = {
  /** A statement, or a part of one: values become parameters, nested templates text. It is sent when it is awaited. */
  <Result extends readonly unknown[] = AnyRow[]>(
    template: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Query<Rows<Result>>
  /** The name of a table or column. */
  (name: string): Identifier
  /** Columns with values, for `insert into … ${sql(rows)}` and `update … set ${sql(row)}`. */
  (rows: RowValues | readonly RowValues[]): ColumnValues
  /** A statement, or a part of one, whose text is not checked. */
  unsafe<Result extends readonly unknown[] = AnyRow[]>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Query<Rows<Result>>
  /** A value as `jsonb`, also where the server could not know. */
  json(value: unknown): TypedValue
}

/** A connection that was lent: statements on it are sent without waiting for answers, and executed in order. */
export type ReservedSql = Statements & {
  /** Gives the connection back. It accepts neither a second release nor statements after it. */
  release(): void
  /** Resolves when the connection is lost; never once it was given back. */
  readonly loss: Promise<Error>
}

/** A pool of connections. */
export type Sql = Statements & {
  readonly options: { readonly max: number } & Pick<ConnectionOptions, 'onstatement'>
  /** Lends a connection until its `release`. */
  reserve(): Promise<ReservedSql>
  /**
   * Runs `work` in a transaction, once. It is rolled back if `work` or one of its statements fails, and rejected at once
   * if the connection is lost.
   */
  begin<Result>(work: (tx: Statements) => Promise<Result>): Promise<Result>
  begin<Result>(mode: string, work: (tx: Statements) => Promise<Result>): Promise<Result>
  /**
   * Listens to a channel on a dedicated connection.
   * @param begun called at each start of listening: earlier notifications may have been missed
   */
  listen(channel: string, heard: (payload: string) => void, begun?: () => void): Promise<{ unlisten(): Promise<void> }>
  /** Lets running queries finish, at most for these seconds, and closes all connections. */
  end(options?: { readonly timeout?: number }): Promise<void>
}

/** Creates a pool without opening a connection: the first query does. */
export function openPool(options: ConnectionOptions, max: number): Sql {
  const pool = new Pool(options, max)
  const reserve = (failed?: Failed) => reserved(pool, openCursor, failed)
  const openCursor: OpenCursor = (query, size) => cursor(reserve, query, size)
  const sql = statements((query) => pool.send(query), openCursor)
  const listener = new Listener(
    () => pool.open(),
    (connection, text) => statements((query) => connection.send(query), openCursor).unsafe(text),
  )
  return Object.assign(sql, {
    options: Object.assign(options, { max }),
    reserve: () => reserve(),
    begin: <Result>(...args: Begin<Result>) => begin(reserve, ...args),
    listen: listener.listen.bind(listener),
    end: async ({ timeout = 3_600 }: { readonly timeout?: number } = {}) => {
      await Promise.all([pool.end(timeout * 1_000), listener.end()])
    },
  })
}

function statements(send: Send, openCursor: OpenCursor): Statements {
  const tag = (first: TemplateStringsArray | string | RowValues | readonly RowValues[], ...values: unknown[]) => {
    if (typeof first === 'string') return new Identifier(first)
    if (!isTemplate(first)) return new ColumnValues(Array.isArray(first) ? first : [first])
    return new Query(first, values, send, openCursor)
  }
  const unsafe = (text: string, values: readonly unknown[] = [], options: QueryOptions = {}) => {
    return new Query([text], values, send, openCursor, { simple: values.length === 0, prepare: false, ...options })
  }
  const json = (value: unknown) => new TypedValue(value, typeIds.jsonb)
  // Callers declare the rows of a statement.
  return Object.assign(tag, { unsafe, json }) as Statements
}

const isTemplate = (first: object): first is TemplateStringsArray => Array.isArray(first) && 'raw' in first

/** Shared: it is rarely seen, and one with a stack per transaction would be garbage. */
const givenBack = new Error('connection was already released')

type Failed = (error: unknown) => void
type Reserve = (failed?: Failed) => Promise<ReservedSql>

/** @param failed called when a statement fails, even if its caller ignores that */
async function reserved(pool: Pool, openCursor: OpenCursor, failed?: Failed): Promise<ReservedSql> {
  const connection = await pool.take()
  let isReleased = false
  const send = (query: AnyQuery) => {
    if (isReleased && !connection.lost) query.reject(givenBack)
    else connection.send(query)
    if (failed) query.catch(failed)
  }
  const loss = Promise.withResolvers<Error>()
  connection.onLoss = loss.resolve
  if (connection.lost) loss.resolve(connection.lost)
  const release = () => {
    if (isReleased) return
    isReleased = true
    connection.onLoss = null
    pool.giveBack(connection)
  }
  return Object.assign(statements(send, openCursor), { release, loss: loss.promise })
}

type Work<Result> = (tx: Statements) => Promise<Result>
type Begin<Result> = [work: Work<Result>] | [mode: string, work: Work<Result>]

async function begin<Result>(reserve: Reserve, ...args: Begin<Result>): Promise<Result> {
  const [mode, work] = args.length === 2 ? args : ['', args[0]]
  const failure: { first?: unknown } = {}
  const held = await reserve((error) => {
    failure.first ??= error
  })
  try {
    await held.unsafe(`begin ${mode}`)
    const lost = held.loss.then((error) => Promise.reject(error))
    return await Promise.race([lost, committed(held, work, failure)])
  } finally {
    held.release()
  }
}

/** A transaction with a failed statement is never committed, also if `work` has caught the error. */
async function committed<Result>(
  held: ReservedSql,
  work: Work<Result>,
  failure: { readonly first?: unknown },
): Promise<Result> {
  try {
    const result = await work(held)
    if (failure.first) throw failure.first
    await held.unsafe('commit')
    return result
  } catch (error) {
    await held.unsafe('rollback')
    // Statements after a failed one say no more than that.
    const isConsequence = error instanceof DatabaseError && error.code === '25P02'
    throw isConsequence ? (failure.first ?? error) : error
  }
}

/** The plan reads all rows, and the caller takes its time with them. */
const forCursor =
  'begin read only; set local cursor_tuple_fraction = 1; set local idle_in_transaction_session_timeout = 0'

async function* cursor(reserve: Reserve, query: AnyQuery, size: number): AsyncGenerator<Rows<unknown[]>> {
  const held = await reserve()
  try {
    await held.unsafe(forCursor)
    await held`declare pieces no scroll cursor for ${query}`
    for (;;) {
      const rows = await held.unsafe(`fetch ${size} from pieces`)
      if (rows.length > 0) yield rows
      if (rows.length < size) return
    }
  } finally {
    await held.unsafe('rollback')
    held.release()
  }
}
