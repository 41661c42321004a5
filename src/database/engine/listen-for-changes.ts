import type { Chance, Clock, Log } from '#contract/shared/environment.ts'
import { changeChannel } from './change-counts.ts'
import type { Database } from './connect.ts'

type Hears = {
  /** @param what the announced change (`change-counts.ts`) */
  readonly heard: (what: string) => void
  /** Called at each start of listening: earlier announcements may have been missed. */
  readonly begun: () => void
}

type Proof = {
  /** Interval of the probes; ten seconds by default. */
  readonly everyMs?: number
  /** Timeout of a probe; five seconds by default. */
  readonly waitMs?: number
}

/**
 * Listens for announced changes. The system detects a silently lost connection, as by a cable or a firewall, only after
 * a quarter of an hour, and announcements would be lost meanwhile. Therefore each process regularly notifies itself,
 * and reconnects if that does not arrive.
 */
export async function listenForChanges(
  db: Pick<Database, 'sql' | 'openListenConnection'>,
  { clock, chance, log }: { readonly clock: Clock; readonly chance: Pick<Chance, 'hex'>; readonly log: Log },
  { heard, begun }: Hears,
  { everyMs = 10_000, waitMs = 5_000 }: Proof = {},
): Promise<{ stop(): Promise<void> }> {
  // A channel of this process alone.
  const ownChannel = `vitrine_pulse_${chance.hex(8)}`
  const stopping = new AbortController()
  let proving = new AbortController()
  let proved = () => {}
  let connection: ReturnType<Database['openListenConnection']> | undefined
  const listen = async () => {
    // `begun` covers announcements missed in between.
    void connection?.end({ timeout: 0 })
    connection = db.openListenConnection()
    // Both on one connection.
    await Promise.all([connection.listen(changeChannel, heard, begun), connection.listen(ownChannel, () => proved())])
  }
  const stop = async () => {
    stopping.abort()
    proving.abort()
    await connection?.end({ timeout: 0 })
  }
  const stillHears = async (): Promise<boolean> => {
    proving = new AbortController()
    const { signal } = proving
    const proof = new Promise<true>((resolve) => {
      proved = () => resolve(true)
    })
    const silence = async () => {
      // In two halves: after a suspension, the first has expired before arrived data is read.
      for (const half of [waitMs / 2, waitMs / 2]) await clock.sleep(half, signal)
      return false
    }
    await db.sql`select pg_notify(${ownChannel}, '')`
    return Promise.race([proof, silence()]).finally(() => proving.abort())
  }
  const watch = async () => {
    for (;;) {
      await clock.sleep(everyMs, stopping.signal)
      if (stopping.signal.aborted) return
      // If the notification could not be sent, the probe proves nothing, and the next one follows soon.
      if ((await stillHears().catch(() => true)) || stopping.signal.aborted) continue
      log.warn({}, 'LISTEN connection lost: reconnecting')
      // If that fails, the next probe fails as well.
      await listen().catch(() => {})
    }
  }
  await listen().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  void watch()
  return { stop }
}
