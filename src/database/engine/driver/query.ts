import type { Readable, Writable } from 'node:stream'
import type { Rows } from './rows.ts'

/** A query whose result does not matter. */
// biome-ignore lint/suspicious/noExplicitAny: queries of all results are sent alike
export type AnyQuery = Query<any>

/** Sends a query to the server, and settles it. */
export type Send = (query: AnyQuery) => void

export type QueryOptions = {
  /** Without parameters, several statements may be sent as one text (the simple protocol). */
  readonly simple?: boolean
  /** Keeps the statement prepared on its connection. */
  readonly prepare?: boolean
}

/** Reads the rows of a statement, some at a time. */
export type OpenCursor = (query: AnyQuery, size: number) => AsyncIterable<Rows<unknown[]>>

/** Called with the rows that the server sends, or with where to write those that it is to take. */
export type Copy = { readonly out: (rows: Readable) => void } | { readonly in: (rows: Writable) => void }

/**
 * A statement, or a part of one. It is sent when it is awaited; one that is nested in another template never is.
 */
export class Query<Result> extends Promise<Result> {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly isTemplate: boolean
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  /** For COPY: called with the stream of its rows. */
  copy: Copy | null = null
  isSimple: boolean
  isPrepared: boolean
  /** It was sent again once, because its prepared statement was outdated. */
  isRetried = false
  readonly #send: Send
  readonly #openCursor: OpenCursor
  #isSent = false

  constructor(
    strings: TemplateStringsArray | readonly string[],
    values: readonly unknown[],
    send: Send,
    openCursor: OpenCursor,
    options: QueryOptions = {},
  ) {
    let settle: Pick<Query<Result>, 'resolve' | 'reject'> | undefined
    super((resolve, reject) => {
      settle = { resolve, reject }
    })
    if (!settle) throw new Error('a promise has called nothing')
    this.resolve = settle.resolve
    this.reject = settle.reject
    this.strings = strings
    this.values = values
    this.isTemplate = 'raw' in strings
    this.isSimple = options.simple ?? false
    this.isPrepared = options.prepare ?? true
    this.#send = send
    this.#openCursor = openCursor
    noteOrigin(strings)
  }

  /** The result of `then` is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** Sends the statement without awaiting it. */
  execute(): this {
    if (!this.#isSent) {
      this.#isSent = true
      this.#send(this)
    }
    return this
  }

  /** Sends the text as it is, without parameters; it may have several statements. */
  simple(): this {
    this.isSimple = true
    return this
  }

  /** Reads the rows, some at a time, in a transaction of their own. */
  cursor(size: number): AsyncIterable<Result> {
    // The rows of this statement.
    return this.#openCursor(this, size) as AsyncIterable<unknown> as AsyncIterable<Result>
  }

  /** The rows of `copy … to stdout`, in the format of COPY. */
  readable(): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.copy = { out: resolve }
      this.simple().catch(reject)
    })
  }

  /** Takes the rows of `copy … from stdin`. It finishes when the server has taken all. */
  writable(): Promise<Writable> {
    return new Promise((resolve, reject) => {
      this.copy = { in: resolve }
      this.simple().catch(reject)
    })
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, and awaiting it sends it
  override then<Fulfilled = Result, Rejected = never>(
    onFulfilled?: ((value: Result) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: OnRejected<Rejected>,
  ): Promise<Fulfilled | Rejected> {
    this.execute()
    return super.then(onFulfilled, onRejected)
  }

  override catch<Rejected = never>(onRejected?: OnRejected<Rejected>): Promise<Result | Rejected> {
    this.execute()
    return super.catch(onRejected)
  }

  override finally(onFinally?: (() => void) | null): Promise<Result> {
    this.execute()
    return super.finally(onFinally)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as promises declare it
type OnRejected<Result> = ((reason: any) => Result | PromiseLike<Result>) | null

/** The place of each template in the sources: errors of the server have no stack of their own. */
const origins = new WeakMap<object, { readonly stack?: string }>()

function noteOrigin(strings: object): void {
  if (!('raw' in strings) || origins.has(strings)) return
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 5
  const origin = {}
  Error.captureStackTrace(origin, Query)
  Error.stackTraceLimit = stackTraceLimit
  origins.set(strings, origin)
}

/** Adds the statement, and its place in the sources, to an error. */
export function withOrigin(error: Error, query: AnyQuery, text: string): Error {
  if ('query' in error) return error
  const origin = origins.get(query.strings)?.stack?.replace(/^.*\n/, '\n') ?? ''
  const hidden = { enumerable: false, configurable: true, writable: true }
  return Object.defineProperties(error, {
    stack: { ...hidden, value: `${error.stack}${origin}` },
    query: { ...hidden, value: text },
  })
}
