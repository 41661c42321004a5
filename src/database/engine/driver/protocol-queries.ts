import { Readable, Writable } from 'node:stream'
import pg from 'pg'
import type { Answer } from './rows.ts'
import type { Statement } from './statements.ts'

export type Answered = (error: Error | null | undefined, answer: Answer) => void

/** Members that are missing in the types of `pg`. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Asks the server for the types of a statement's parameters; a named statement is prepared thereby. */
export class DescribeQuery extends pg.Query {
  constructor({ text, types }: Statement, name: string, answered: Answered) {
    super({ text, name }, answered)
    this.submit = (connection) => {
      // Declared types are numbers, not names; `more` is of former versions.
      connection.parse({ text, name, types: [...types] as never }, true)
      connection.describe({ type: 'S', name }, true)
      connection.sync()
    }
  }
}

/** A statement with parameters in the server's text format. */
export class ParameterQuery extends pg.Query {
  /** Declared to the server when it parses the statement. */
  readonly types: readonly number[]

  constructor(
    { text, types }: Statement,
    name: string | null,
    values: readonly (string | Buffer | null)[],
    answered: Answered,
  ) {
    super({ text, values: [...values], ...(name !== null && { name }) }, answered)
    this.types = types
  }
}

/** Passes the rows of `copy … to stdout` on, at the pace of the reader. */
export class CopyOutQuery extends pg.Query {
  readonly readable: Readable
  readonly #from: { stream: pg.Connection['stream'] | null }

  constructor(text: string, answered: Answered) {
    const from: { stream: pg.Connection['stream'] | null } = { stream: null }
    const rows = new Readable({
      read: () => void from.stream?.resume(),
      destroy: (error, done) => {
        from.stream?.resume()
        done(error)
      },
    })
    super(text, (error: Error | undefined, answer: Answer) => {
      if (error) rows.destroy(error)
      else rows.push(null)
      answered(error, answer)
    })
    this.readable = rows
    this.#from = from
  }

  /** Called by the driver, which uses the memory of the chunk again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: pg.Connection): void {
    this.#from.stream = stream
    // The rest is discarded if the reader has gone.
    if (!this.readable.destroyed && !this.readable.push(Buffer.from(chunk))) stream.pause()
  }
}

/** Passes rows to `copy … from stdin`, at the pace of the connection. */
export class CopyInQuery extends pg.Query {
  readonly #opened: (rows: Writable) => void
  readonly #into: { rows: Writable | null; taken: (() => void) | null }

  constructor(text: string, opened: (rows: Writable) => void, answered: Answered) {
    const into: { rows: Writable | null; taken: (() => void) | null } = { rows: null, taken: null }
    super(text, (error: Error | undefined, answer: Answer) => {
      if (error) into.rows?.destroy(error)
      else into.taken?.()
      answered(error, answer)
    })
    this.#opened = opened
    this.#into = into
  }

  /** Called by the driver when the server expects the rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    const into = this.#into
    const { stream } = connection
    let isOver = false
    into.rows = new Writable({
      write: (chunk: Buffer, _, done) => {
        connection.sendCopyFromChunk(chunk)
        // The writes of this turn have left by then.
        setImmediate(() => void (stream.writableNeedDrain ? stream.once('drain', () => done()) : done()))
      },
      final: (done) => {
        isOver = true
        into.taken = () => done()
        connection.endCopyFrom()
      },
      destroy: (error, done) => {
        if (!isOver) connection.sendCopyFail(error?.message ?? 'the rows end')
        isOver = true
        done(error)
      },
    })
    this.#opened(into.rows)
  }
}
