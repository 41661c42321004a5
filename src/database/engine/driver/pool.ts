import { Connection, type ConnectionOptions } from './connection.ts'
import { connectionError } from './errors.ts'
import type { AnyQuery } from './query.ts'
import { Statements } from './statements.ts'

type Waiting = { readonly resolve: (connection: Connection) => void; readonly reject: (error: unknown) => void }

/** The pause after a failure to connect: a shop should recover as soon as its database does. */
const pauseMs = 100

/** Connections are replaced at this age, not all at once. */
const lifetimeMinutes = 30

export class Pool {
  readonly #options: ConnectionOptions
  readonly #max: number
  readonly #statements = new Statements()
  readonly #all = new Set<Connection>()
  /** Older than `lifetimeMinutes`. */
  readonly #aged = new WeakSet<Connection>()
  /** The one that was used last is lent first: the others stay idle, and so do their server processes. */
  #free: Connection[] = []
  #waiting: Waiting[] = []
  #opening = 0
  #opened = 0
  /** Runs for a moment after a failure to connect. */
  #pause: NodeJS.Timeout | null = null
  #ending: Promise<void> | null = null
  #drained: (() => void) | null = null
  #isDestroyed = false

  constructor(options: ConnectionOptions, max: number) {
    this.#options = options
    this.#max = max
  }

  /** Sends a query on a connection of its own. */
  send(query: AnyQuery): void {
    const connection = this.#ending ? undefined : this.#free.pop()
    if (connection) this.#sendOn(connection, query)
    else {
      this.take().then(
        (taken) => this.#sendOn(taken, query),
        (error) => query.reject(error),
      )
    }
  }

  /** Lends a connection until `giveBack`. */
  async take(): Promise<Connection> {
    if (this.#ending) throw poolEnded()
    return this.#free.pop() ?? this.#wait()
  }

  /** Takes a connection back, when it has answered everything. Lost ones have gone already. */
  giveBack(connection: Connection): void {
    if (connection.lost) return
    if (connection.isIdle) this.#lendOrKeep(connection)
    else connection.onIdle = () => this.#lendOrKeep(connection)
  }

  /** Opens a connection outside of the pool. */
  open(): Promise<Connection> {
    return Connection.open(this.#options, this.#statements)
  }

  /** Lets running and waiting queries finish, at most for this time, and closes all connections. */
  end(timeoutMs: number): Promise<void> {
    this.#ending ??= this.#end(timeoutMs)
    return this.#ending
  }

  async #end(timeoutMs: number): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs)
    })
    for (const connection of this.#free.splice(0)) void connection.close()
    this.#noteDrained()
    await Promise.race([drained, late])
    clearTimeout(timer)
    this.#isDestroyed = true
    if (this.#pause) clearTimeout(this.#pause)
    for (const { reject } of this.#waiting.splice(0)) {
      reject(connectionError('CONNECTION_DESTROYED', 'the pool was closed'))
    }
    for (const connection of this.#all) connection.destroy()
  }

  #sendOn(connection: Connection, query: AnyQuery): void {
    connection.send(query)
    this.giveBack(connection)
  }

  #lendOrKeep(connection: Connection): void {
    connection.onIdle = null
    const next = this.#waiting.shift()
    if (next) next.resolve(connection)
    else if (this.#ending || this.#aged.has(connection)) void connection.close()
    else this.#free.push(connection)
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#grow()
    })
  }

  /** Opens a connection if a caller waits for one. */
  #grow(): void {
    if (this.#isDestroyed || this.#pause || this.#waiting.length <= this.#opening) return
    if (this.#all.size + this.#opening >= this.#max) return
    this.#opening += 1
    void this.#openOne()
  }

  async #openOne(): Promise<void> {
    try {
      const connection = await this.open()
      this.#opening -= 1
      if (this.#isDestroyed) return connection.destroy()
      this.#all.add(connection)
      this.#limitAge(connection)
      void connection.loss.then(() => this.#remove(connection))
      this.#lendOrKeep(connection)
    } catch (error) {
      this.#opening -= 1
      this.#waiting.shift()?.reject(error)
      this.#noteDrained()
      this.#pause ??= setTimeout(() => {
        this.#pause = null
        for (const _ of [...this.#waiting]) this.#grow()
      }, pauseMs).unref()
    }
  }

  #limitAge(connection: Connection): void {
    this.#opened += 1
    const minutes = lifetimeMinutes * (1 + (this.#opened % 10) / 10)
    const timer = setTimeout(() => {
      this.#aged.add(connection)
      const place = this.#free.indexOf(connection)
      if (place === -1) return
      this.#free.splice(place, 1)
      void connection.close()
    }, minutes * 60_000).unref()
    void connection.loss.then(() => clearTimeout(timer))
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    this.#free = this.#free.filter((one) => one !== connection)
    this.#grow()
    this.#noteDrained()
  }

  #noteDrained(): void {
    if (this.#all.size === 0 && this.#opening === 0 && this.#waiting.length === 0) this.#drained?.()
  }
}

const poolEnded = () => connectionError('CONNECTION_ENDED', 'the pool was closed')
