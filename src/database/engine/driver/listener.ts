import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from './connection.ts'

type Heard = { readonly heard: (payload: string) => void; readonly begun: (() => void) | undefined }

/** Pause between attempts to listen again. */
const pauseMs = 100

/** Listens to channels on one connection. Lost, it is replaced, and all listening begins again. */
export class Listener {
  readonly #open: () => Promise<Connection>
  readonly #command: (connection: Connection, text: string) => Promise<unknown>
  readonly #channels = new Map<string, readonly Heard[]>()
  #connection: Promise<Connection> | null = null
  #isEnded = false

  constructor(open: () => Promise<Connection>, command: (connection: Connection, text: string) => Promise<unknown>) {
    this.#open = open
    this.#command = command
  }

  /** @param begun called at each start of listening */
  async listen(
    channel: string,
    heard: (payload: string) => void,
    begun?: () => void,
  ): Promise<{ unlisten(): Promise<void> }> {
    this.#connection ??= this.#connect()
    const connection = await this.#connection
    await this.#command(connection, listenTo(channel))
    const listening = { heard, begun }
    this.#channels.set(channel, [...this.#of(channel), listening])
    begun?.()
    return {
      unlisten: async () => {
        this.#channels.set(
          channel,
          this.#of(channel).filter((one) => one !== listening),
        )
      },
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true
    const connection = await this.#connection?.catch(() => null)
    connection?.destroy()
  }

  #of(channel: string): readonly Heard[] {
    return this.#channels.get(channel) ?? []
  }

  async #connect(): Promise<Connection> {
    const connection = await this.#open().catch((error: unknown) => {
      this.#connection = null
      throw error
    })
    connection.onNotification((channel, payload) => {
      for (const { heard } of this.#of(channel)) heard(payload)
    })
    void connection.loss.then(() => this.#listenAgain())
    return connection
  }

  async #listenAgain(): Promise<void> {
    await pause(pauseMs)
    while (!this.#isEnded) {
      this.#connection = this.#connect()
      // The database is away: the next attempt follows.
      const connection = await this.#connection.catch(() => null)
      if (connection) return this.#beginAgain(connection)
      await pause(pauseMs)
    }
  }

  async #beginAgain(connection: Connection): Promise<void> {
    try {
      for (const channel of this.#channels.keys()) await this.#command(connection, listenTo(channel))
      for (const { begun } of [...this.#channels.values()].flat()) begun?.()
    } catch {
      // Its loss starts the next attempt.
      connection.destroy()
    }
    if (this.#isEnded) connection.destroy()
  }
}

const listenTo = (channel: string) => `listen "${channel.replaceAll('"', '""')}"`
