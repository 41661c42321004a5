import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as realPause } from 'node:timers/promises'
import { answerReader, countAsked, endOf, noteWritten, serverProcess } from './wire-messages.ts'

/** How a process dies at the database: with a statement unsent, or carried out and its answer never read. */
export type Fuse = { readonly statements: number; readonly after: boolean }

/** Which of these server processes wait for a lock. */
export type FindBlocked = (serverProcesses: readonly number[]) => Promise<ReadonlySet<number>>

/** One connection. */
type Line = {
  readonly socket: Socket
  /** By which messages the answers end that the server still owes. */
  readonly awaited: string[]
  /** What has come of answers that are not whole yet. */
  readonly held: Buffer[]
  /** How many answers the process has not been given. */
  owed: number
  serverProcess: number
  isOpen: boolean
  isBlocked: boolean
  isDying: boolean
  /** Gives the process what has come. */
  readonly deliver: (bytes: Buffer) => void
}

const lookMs = 2

/**
 * The connections of one process to its database, watched: whether an answer is still to come, and cut at a given statement.
 * A cut connection is silent for the process, as for one that is no more.
 *
 * What is asked goes out in turn, and the next only once the one before is answered or waits for a lock; answers are handed over
 * whole, and in turn. So the server never chooses between two connections, and a run is the same whatever the machine's pace.
 */
export class Wire {
  readonly #folder: string
  readonly #findBlocked: FindBlocked
  /** Those that the server owes an answer, by when they were served. */
  readonly #served = new Set<Line>()
  readonly #lines = new Set<Line>()
  #queue: { line: Line; send: () => void }[] = []
  #isLooking = false
  #answers = 0
  #owed = 0
  #begun = 0
  #changed = false
  readonly #written = new Set<string>()
  #dead = false
  #fuse: Fuse | null = null
  #onDeath: () => void = () => {}
  #waiting: (() => void)[] = []

  /** @param folder where the server's Unix socket is */
  constructor(folder: string, findBlocked: FindBlocked) {
    this.#folder = folder
    this.#findBlocked = findBlocked
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
    for (const { socket } of this.#lines) silence(socket)
    this.#lines.clear()
    this.#served.clear()
    this.#queue = []
    this.#settle(-this.#owed)
  }

  /** Loses every connection, as when the server restarts: the process hears of it. */
  cut(): void {
    for (const { socket } of this.#lines) socket.destroy()
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
    const emit = socket.emit.bind(socket)
    const write = socket.write.bind(socket)
    const line: Line = {
      socket,
      awaited: [],
      held: [],
      owed: 0,
      serverProcess: 0,
      isOpen: false,
      isBlocked: false,
      isDying: false,
      deliver: (bytes) => emit('data', bytes),
    }
    this.#lines.add(line)
    let started = false
    const statements = new Map<string, readonly string[]>()
    const read = answerReader((name, tag) => {
      // `UPDATE 0` and the like have changed nothing.
      if (/^(INSERT|UPDATE|DELETE).* [1-9]/.test(tag)) this.#changed = true
      if (name === 'K') line.serverProcess = serverProcess(tag)
      if (line.awaited[0]?.includes(name)) line.awaited.shift()
    })
    socket.write = ((bytes: Buffer, ...rest: never[]) => {
      if (this.#dead) return true
      const asked = started ? countAsked(bytes) : { ends: [endOf.query], statements: 0 }
      if (started) noteWritten(bytes, statements, this.#written)
      started = true
      if (asked.ends.length === 0) return write(bytes, ...rest)
      line.owed += asked.ends.length
      this.#settle(asked.ends.length)
      const send = () => {
        if (this.#burns(asked.statements, line)) return
        line.awaited.push(...asked.ends)
        this.#served.add(line)
        write(bytes, ...rest)
      }
      this.#queue.push({ line, send })
      this.#serve()
      return true
    }) as typeof socket.write
    socket.emit = ((event: string, ...rest: unknown[]) => {
      if (event === 'data' && !this.#dead) {
        const bytes = rest[0] as Buffer
        read(bytes)
        line.held.push(bytes)
        this.#handOver(line)
        return true
      }
      if (event === 'close') this.#forget(line)
      // What a dying process is answered it does not read.
      if (line.isDying || this.#dead) return true
      return emit(event, ...rest)
    }) as typeof socket.emit
  }

  /** Whether the process dies before these statements; or it is on its way to die once they are answered. */
  #burns(statements: number, line: Line): boolean {
    if (!this.#fuse || statements === 0) return false
    const { statements: left, after } = this.#fuse
    this.#fuse = { statements: left - statements, after }
    if (left > statements) return false
    this.#fuse = null
    line.isDying = after
    if (!after) this.#onDeath()
    return !after
  }

  /** Sends what waits, as far as it is its turn. */
  #serve(): void {
    for (let next = this.#queue[0]; next && !this.#isAwaitedBeside(next.line); next = this.#queue[0]) {
      this.#queue.shift()
      next.send()
    }
    if (this.#queue.length > 0) void this.#look()
  }

  #isAwaitedBeside(line: Line): boolean {
    for (const other of this.#served) if (other !== line && !other.isBlocked) return true
    return false
  }

  /** Whoever waits for a lock waits for another line, which is served meanwhile. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (;;) {
      const answers = this.#answers
      await realPause(lookMs)
      const asked = [...this.#served].filter(({ awaited, isBlocked }) => awaited.length > 0 && !isBlocked)
      if (this.#dead || asked.length === 0) break
      if (answers !== this.#answers) continue
      const blocked = await this.#findBlocked(asked.map((line) => line.serverProcess))
      if (answers !== this.#answers) continue
      for (const line of asked) line.isBlocked = line.awaited.length > 0 && blocked.has(line.serverProcess)
      this.#goOn()
    }
    this.#isLooking = false
  }

  /** Whole answers go to the process, and only those: how the machine cuts them into pieces must not matter. */
  #handOver(line: Line): void {
    const isWhole = line.awaited.length === 0
    // While it opens, one answer is asked for by the one before; and what nobody asked for has no turn.
    if (!line.isOpen && isWhole) {
      line.isOpen = true
      this.#give(line)
    } else if (!line.isOpen || line.owed === 0) line.deliver(Buffer.concat(line.held.splice(0)))
    else if (isWhole) this.#goOn()
  }

  /** Hands over the whole answers whose turn has come, and serves the next. */
  #goOn(): void {
    if (this.#dead) return
    for (const line of this.#served) {
      if (line.isBlocked && (line.awaited.length > 0 || this.#isAwaitedBeside(line))) continue
      if (line.awaited.length > 0) break
      if (line.isDying) this.#onDeath()
      else this.#give(line)
      return
    }
    this.#serve()
    if (this.#served.size > 1) void this.#look()
  }

  #give(line: Line): void {
    const owed = this.#leave(line)
    line.deliver(Buffer.concat(line.held.splice(0)))
    this.#settle(-owed)
    this.#goOn()
  }

  /** @returns how many answers it was owed */
  #leave(line: Line): number {
    this.#served.delete(line)
    this.#answers += 1
    // A commit lets go of what others wait for.
    for (const other of this.#served) other.isBlocked = false
    const { owed } = line
    line.owed = 0
    return owed
  }

  #forget(line: Line): void {
    this.#lines.delete(line)
    this.#queue = this.#queue.filter((waiting) => waiting.line !== line)
    if (this.#dead) return
    this.#settle(-this.#leave(line))
    this.#goOn()
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
