import type { Socket } from 'node:net'
import pg from 'pg'
import { connectionError, isFatal, isOutdated, lossOf, refusalOf } from './errors.ts'
import { gatherWrites } from './gather-writes.ts'
import { type Answered, CopyInQuery, CopyOutQuery, DescribeQuery, ParameterQuery } from './protocol-queries.ts'
import { type AnyQuery, type Copy, withOrigin } from './query.ts'
import { rowsOf } from './rows.ts'
import { type StatementText, statementText } from './statement-text.ts'
import type { Statement, Statements } from './statements.ts'
import { parameterText, parserOf } from './values.ts'

export type Notice = {
  readonly severity?: string | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
}

export type ConnectionOptions = {
  readonly server: Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'application_name'> & {
    readonly options?: string
  }
  readonly encryption: 'none' | 'preferred' | 'unverified' | 'verified'
  /**
   * False behind a pooler in transaction mode: statements are neither prepared nor sent before the one in front of them
   * is answered, because the next one may reach another server process.
   */
  readonly prepare: boolean
  readonly onnotice: (notice: Notice) => void
  /** Called with the text of each statement that is sent. */
  onstatement?: ((text: string) => void) | null
  /** Opens the stream of each connection. */
  readonly socket?: () => Promise<Socket>
}

const connectTimeoutMs = 10_000
const keepAliveMs = 60_000

/** Nothing to roll back is left where a connection was lost, and a failure would hide the original error. */
const rolledBack = () => rowsOf({ rows: [], command: 'ROLLBACK', rowCount: 0 })

/** One connection. Statements are sent without waiting for answers, and answered in order. */
export class Connection {
  readonly #client: pg.Client
  readonly #statements: Statements
  readonly #options: ConnectionOptions
  /** Accepted and not yet sent, in order. */
  #queue: { readonly query: AnyQuery; readonly statement: StatementText }[] = []
  /** Accepted and not yet answered. */
  readonly #unanswered = new Set<AnyQuery>()
  /** Later queries wait for the end of a description or of a COPY. */
  #isHeldBack = false
  #sent = 0
  #described: readonly number[] = []
  readonly #loss = Promise.withResolvers<Error>()
  #lost: Error | null = null
  /** Called when everything is answered. */
  onIdle: (() => void) | null = null
  /** Called when the connection is lost. */
  onLoss: ((error: Error) => void) | null = null

  /** Opens a connection. @throws the refusal of the server or the system */
  static async open(options: ConnectionOptions, statements: Statements): Promise<Connection> {
    try {
      return await Connection.#opened(options, statements, options.encryption !== 'none')
    } catch (error) {
      const isPlain = error instanceof Error && error.message.includes('does not support SSL')
      if (!isPlain || options.encryption !== 'preferred') throw error
      return await Connection.#opened(options, statements, false)
    }
  }

  static async #opened(options: ConnectionOptions, statements: Statements, encrypted: boolean): Promise<Connection> {
    const socket = await options.socket?.()
    const client = new pg.Client({
      ...options.server,
      ssl: encrypted && (options.encryption === 'verified' || { rejectUnauthorized: false }),
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
      types: { getTypeParser: parserOf as never },
      ...(socket && { stream: () => alreadyOpen(socket) }),
    })
    const connection = new Connection(client, options, statements)
    try {
      await client.connect()
    } catch (error) {
      client.connection.stream.destroy()
      throw refusalOf(error)
    }
    gatherWrites(client.connection.stream)
    return connection
  }

  private constructor(client: pg.Client, options: ConnectionOptions, statements: Statements) {
    this.#client = client
    this.#options = options
    this.#statements = statements
    client.on('error', (error) => this.#lose(error))
    client.on('end', () => this.#lose(undefined))
    client.on('notice', options.onnotice)
    client.connection.on('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      this.#described = dataTypeIDs
    })
  }

  get isIdle(): boolean {
    return this.#unanswered.size === 0
  }

  /** Why the connection was lost; null while it is open. */
  get lost(): Error | null {
    return this.#lost
  }

  /** Resolves when the connection is lost. It lives as long as the connection: its holders use `onLoss`. */
  get loss(): Promise<Error> {
    return this.#loss.promise
  }

  onNotification(heard: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload = '' }) => heard(channel, payload))
  }

  send(query: AnyQuery): void {
    if (this.#lost) {
      settleLost(query, this.#lost)
      return
    }
    try {
      const statement = statementText(query)
      this.#options.onstatement?.(statement.text)
      this.#unanswered.add(query)
      this.#queue.push({ query, statement })
      this.#sendQueue()
    } catch (error) {
      query.reject(error)
    }
  }

  /** Ends an idle connection. */
  async close(): Promise<void> {
    this.#lost ??= connectionError('CONNECTION_ENDED', 'the connection was closed')
    await this.#client.end()
  }

  /** Cuts the connection: what is unanswered fails. */
  destroy(): void {
    this.#lose(connectionError('CONNECTION_DESTROYED', 'the pool was closed'))
  }

  #sendQueue(): void {
    while (!this.#isHeldBack && !this.#lost && (this.#options.prepare || this.#sent === 0)) {
      const next = this.#queue.shift()
      if (!next) return
      this.#submit(next.query, next.statement)
    }
  }

  #submit(query: AnyQuery, statement: StatementText): void {
    if (query.copy) this.#submitCopy(query, query.copy, statement.text)
    else if (query.isSimple && statement.values.length === 0) {
      this.#ask(new pg.Query(statement.text, this.#answered(query, statement.text, null)))
    } else this.#submitParameters(query, statement)
  }

  #submitParameters(query: AnyQuery, { text, values, types }: StatementText): void {
    const statement = this.#statements.find(text, types)
    const name = this.#options.prepare && query.isPrepared ? statement.name : null
    const { parameterTypes } = statement
    if (!parameterTypes) {
      this.#describe(query, statement, name)
      return
    }
    try {
      const texts = values.map((value, index) => parameterText(value, parameterTypes[index] ?? 0))
      const answered = this.#answered(query, text, name === null ? null : statement)
      this.#ask(new ParameterQuery(statement, name, texts, answered))
    } catch (error) {
      this.#settle(query, () => query.reject(error))
    }
  }

  /** Once for each statement of the pool. JSON, for example, is written differently as text and as `jsonb`. */
  #describe(query: AnyQuery, statement: Statement, name: string | null): void {
    this.#isHeldBack = true
    const described: Answered = (error) => {
      this.#sent -= 1
      this.#isHeldBack = false
      if (error) this.#fail(query, error, statement)
      else {
        statement.parameterTypes = this.#described
        // Before those that were asked meanwhile.
        if (!this.#lost) this.#submit(query, statementText(query))
      }
      this.#sendQueue()
    }
    this.#ask(new DescribeQuery(statement, name ?? '', described))
  }

  #submitCopy(query: AnyQuery, copy: Copy, text: string): void {
    this.#isHeldBack = true
    const answered: Answered = (error, answer) => {
      this.#isHeldBack = false
      this.#answered(query, text, null)(error, answer)
    }
    if ('in' in copy) this.#ask(new CopyInQuery(text, copy.in, answered))
    else {
      const copying = new CopyOutQuery(text, answered)
      copy.out(copying.readable)
      this.#ask(copying)
    }
  }

  #ask(query: pg.Query): void {
    this.#sent += 1
    this.#client.query(query)
  }

  #answered(query: AnyQuery, text: string, prepared: Statement | null): Answered {
    return (error, answer) => {
      this.#sent -= 1
      if (error) this.#fail(query, error, prepared, text)
      else this.#settle(query, () => query.resolve(Array.isArray(answer) ? answer.map(rowsOf) : rowsOf(answer)))
      this.#sendQueue()
    }
  }

  #fail(query: AnyQuery, error: Error, prepared: Statement | null, text = prepared?.text ?? ''): void {
    if (isFatal(error)) {
      this.#lose(error)
      return
    }
    if (prepared && isOutdated(error)) {
      this.#statements.forget(prepared)
      // In a failed transaction it would be executed after the rollback. This is the state before the failed statement.
      if (!query.isRetried && !this.#lost && this.#client.getTransactionStatus() === 'I') {
        query.isRetried = true
        this.#queue.push({ query, statement: statementText(query) })
        return
      }
    }
    this.#settle(query, () => query.reject(withOrigin(error, query, text)))
  }

  #settle(query: AnyQuery, settle: () => void): void {
    // Otherwise it failed with the loss of the connection.
    if (!this.#unanswered.delete(query)) return
    settle()
    if (this.isIdle) this.onIdle?.()
  }

  #lose(cause: unknown): void {
    this.#lost ??= lossOf(cause)
    const lost = this.#lost
    this.#queue = []
    for (const query of this.#unanswered) settleLost(query, lost)
    this.#unanswered.clear()
    this.#client.connection.stream.destroy()
    this.#loss.resolve(lost)
    this.onLoss?.(lost)
    this.onLoss = null
  }
}

function settleLost(query: AnyQuery, lost: Error): void {
  if (query.strings[0] === 'rollback') query.resolve(rolledBack())
  else query.reject(lost)
}

/** The driver opens its stream itself. */
function alreadyOpen(socket: Socket): Socket {
  socket.connect = () => {
    setImmediate(() => socket.emit('connect'))
    return socket
  }
  return socket
}
