import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

/** How a process dies at the database: with a statement unsent, or carried out and its answer never read. */
export type Fuse = { readonly statements: number; readonly after: boolean }

/**
 * The connections of one process to its database, watched: whether an answer is still to come, and cut at a given statement.
 * A cut connection is silent for the process, as for one that is no more.
 */
export class Wire {
  readonly #folder: string
  readonly #sockets = new Set<Socket>()
  #owed = 0
  #begun = 0
  #changed = false
  readonly #written = new Set<string>()
  #dead = false
  #fuse: Fuse | null = null
  #onDeath: () => void = () => {}
  #waiting: (() => void)[] = []

  /** @param folder where the server's Unix socket is */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** How many answers are still to come. */
  get owed(): number {
    return this.#owed
  }

  /** How many answers were ever owed. */
  get begun(): number {
    return this.#begun
  }

  rest(): Promise<void> {
    return this.#owed === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The process dies at its so-many-th statement from now. */
  light(fuse: Fuse, onDeath: () => void): void {
    this.#fuse = fuse
    this.#onDeath = onDeath
  }

  kill(): void {
    this.#dead = true
    for (const socket of this.#sockets) silence(socket)
    this.#sockets.clear()
    this.#settle(-this.#owed)
  }

  /** Loses every connection, as when the server restarts: the process hears of it. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** The tables that statements wrote to since this was asked last; none where no row was changed. */
  tookChanges(): ReadonlySet<string> {
    const written = new Set(this.#changed ? this.#written : [])
    this.#changed = false
    this.#written.clear()
    return written
  }

  readonly open = async (): Promise<Socket> => {
    if (this.#dead) return new Promise(() => {})
    // Whoever waits for a connection is at work.
    this.#settle(1)
    const socket = connect(join(this.#folder, '.s.PGSQL.5432'))
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    this.#settle(-1)
    if (this.#dead) {
      silence(socket)
      return new Promise(() => {})
    }
    this.#watch(socket)
    return socket
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    let owed = 0
    let started = false
    let dying = false
    const owe = (change: number) => {
      owed += change
      this.#settle(change)
    }
    const write = socket.write.bind(socket)
    const awaited: string[] = []
    const statements = new Map<string, readonly string[]>()
    const answers = answerReader((name, tag) => {
      // `UPDATE 0` and the like have changed nothing.
      if (/^(INSERT|UPDATE|DELETE).* [1-9]/.test(tag)) this.#changed = true
      if (awaited[0]?.includes(name)) {
        awaited.shift()
        owe(-1)
      }
      if (dying && owed === 0) this.#onDeath()
    })
    socket.write = ((bytes: Buffer, ...rest: never[]) => {
      if (this.#dead) return true
      const asked = started ? countAsked(bytes) : { ends: [endOf.query], statements: 0 }
      if (started) noteWritten(bytes, statements, this.#written)
      started = true
      if (asked.statements > 0 && this.#fuse && !dying) {
        const { statements, after } = this.#fuse
        this.#fuse = { statements: statements - asked.statements, after }
        if (statements <= asked.statements) {
          this.#fuse = null
          if (!after) {
            this.#onDeath()
            return true
          }
          dying = true
        }
      }
      awaited.push(...asked.ends)
      owe(asked.ends.length)
      return write(bytes, ...rest)
    }) as typeof socket.write
    const emit = socket.emit.bind(socket)
    socket.emit = ((event: string, ...rest: unknown[]) => {
      if (event === 'data') answers(rest[0] as Buffer)
      if (event === 'close') {
        this.#sockets.delete(socket)
        if (!this.#dead) owe(-owed)
      }
      // What a dying process is answered it does not read.
      if (dying || this.#dead) return true
      return emit(event, ...rest)
    }) as typeof socket.emit
  }

  #settle(change: number): void {
    this.#begun += Math.max(0, change)
    this.#owed = Math.max(0, this.#owed + change)
    if (this.#owed > 0) return
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function silence(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => {})
  socket.destroy()
}

/** By which messages an answer ends: ready for a query; or, after a flush, the last of what was asked for. */
const endOf = { query: 'Z', description: 'TnE', execution: 'CsIE' }

/** What whole messages of the driver ask for: the ends of the answers to each sync, simple query and flush, in this order. */
function countAsked(bytes: Buffer): { ends: string[]; statements: number } {
  const asked = { ends: [] as string[], statements: 0 }
  let executes = false
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const name = String.fromCharCode(bytes[at] ?? 0)
    if (name === 'S' || name === 'Q') asked.ends.push(endOf.query)
    if (name === 'H') asked.ends.push(executes ? endOf.execution : endOf.description)
    if (name === 'E') executes = true
    if (name === 'E' || name === 'Q') asked.statements += 1
    if (name === 'S' || name === 'H') executes = false
  }
  // Each connection asks by itself which types there are, and how many connections there are depends on the machine's pace.
  if (bytes.includes('pg_catalog.pg_type')) asked.statements = 0
  return asked
}

const writes = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)/gi

/**
 * Adds the tables that bound statements write to.
 * @param statements the tables of each prepared statement of the connection, by its name
 */
function noteWritten(bytes: Buffer, statements: Map<string, readonly string[]>, written: Set<string>): void {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const kind = String.fromCharCode(bytes[at] ?? 0)
    if (kind !== 'P' && kind !== 'B' && kind !== 'Q') continue
    const first = bytes.indexOf(0, at + 5)
    const second = bytes.indexOf(0, first + 1)
    if (kind === 'B') {
      for (const table of statements.get(bytes.toString('latin1', first + 1, second)) ?? []) written.add(table)
      continue
    }
    const text = kind === 'Q' ? bytes.toString('latin1', at + 5, first) : bytes.toString('latin1', first + 1, second)
    const tables = [...text.matchAll(writes)].map(([, table = '']) => table)
    if (kind === 'P') statements.set(bytes.toString('latin1', at + 5, first), tables)
    else for (const table of tables) written.add(table)
  }
}

/** Names the messages of the server's, which come in pieces of any size, and what a completed command says it did. */
function answerReader(found: (name: string, tag: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let skip = 0
  return (bytes) => {
    let chunk = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    rest = Buffer.alloc(0)
    const skipped = Math.min(skip, chunk.length)
    skip -= skipped
    chunk = chunk.subarray(skipped)
    let at = 0
    while (at + 5 <= chunk.length) {
      const end = at + 1 + chunk.readUInt32BE(at + 1)
      const name = String.fromCharCode(chunk[at] ?? 0)
      if (end > chunk.length && name !== 'Z' && name !== 'C') {
        found(name, '')
        skip = end - chunk.length
        return
      }
      if (end > chunk.length) break
      found(name, name === 'C' ? chunk.toString('latin1', at + 5, end - 1) : '')
      at = end
    }
    rest = Buffer.from(chunk.subarray(at))
  }
}
