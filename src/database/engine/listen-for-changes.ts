import type { Chance, Clock, Log } from '#contract/shared/environment.ts'
import { changeChannel } from './change-counts.ts'
import type { Database } from './connect.ts'

type Hears = {
  /** @param what was announced (`change-counts.ts`) */
  readonly heard: (what: string) => void
  /** Each time that it begins to listen: whatever was announced until then may have been missed. */
  readonly begun: () => void
}

type Proof = {
  /** How often it is proved that it still hears; every ten seconds unless told. */
  readonly everyMs?: number
  /** How long after it was told a proof may take to come back; five seconds unless told. */
  readonly waitMs?: number
}

/**
 * Hears what processes announce. A connection that was lost without a word, by a cable or a firewall that forgets, is found out by the
 * system after a quarter of an hour, and what was announced meanwhile is heard by nobody. So each process tells itself something
 * from time to time, and listens anew when that does not come back.
 */
export async function listenForChanges(
  db: Pick<Database, 'sql' | 'ear'>,
  { clock, chance, log }: { readonly clock: Clock; readonly chance: Pick<Chance, 'hex'>; readonly log: Log },
  { heard, begun }: Hears,
  { everyMs = 10_000, waitMs = 5_000 }: Proof = {},
): Promise<{ stop(): Promise<void> }> {
  // Nobody else listens there.
  const ownChannel = `vitrine_pulse_${chance.hex(8)}`
  const stopping = new AbortController()
  let proving = new AbortController()
  let proved = () => {}
  let ear: ReturnType<Database['ear']> | undefined
  const listen = async () => {
    // What it may have missed between the two is told by `begun`.
    void ear?.end({ timeout: 0 })
    ear = db.ear()
    // Both on one connection.
    await Promise.all([ear.listen(changeChannel, heard, begun), ear.listen(ownChannel, () => proved())])
  }
  const stop = async () => {
    stopping.abort()
    proving.abort()
    await ear?.end({ timeout: 0 })
  }
  const stillHears = async (): Promise<boolean> => {
    proving = new AbortController()
    const { signal } = proving
    const proof = new Promise<true>((resolve) => {
      proved = () => resolve(true)
    })
    const silence = async () => {
      // In two halves: where the process stood still, the first is over before what has come meanwhile is read.
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
      // Where it could not be told nothing is proved, and the next time comes soon.
      if ((await stillHears().catch(() => true)) || stopping.signal.aborted) continue
      log.warn({}, 'what other processes announce was no longer heard: the shop listens anew')
      // Where that fails it is not heard the next time either.
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
