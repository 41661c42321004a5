import { dayOf, type Original, saveOriginals } from '#database/translation/translations.ts'
import type { Tools } from '../shared/tools.ts'

/** Records unknown texts of pages, so that they can be found and translated. */
export type OriginalsBook = {
  /** Records a text in memory; it is written later, outside of the request. */
  note(original: Original): void
  /** Writes recorded texts, and accepts no more. */
  stop(): Promise<void>
}

const pauseMs = 500
/** Texts per statement. */
const atOnce = 500
/** Maximum number of texts waiting to be written. */
const mostWaiting = 20_000
/** The shop's own texts are fewer; more means an endless source of texts. */
const mostPerDay = 100_000

export function originalsBook({ db, clock, log }: Pick<Tools, 'db' | 'clock' | 'log'>): OriginalsBook {
  const waiting = new Map<string, Original>()
  const stopping = new AbortController()
  let day = ''
  let today = 0
  let writing: Promise<void> | null = null

  const write = async () => {
    await clock.sleep(pauseMs, stopping.signal)
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, atOnce)
      for (const [key] of batch) waiting.delete(key)
      await saveOriginals(
        db.kysely,
        batch.map(([, original]) => original),
        clock.now(),
      )
    }
  }
  return {
    note(original) {
      if (stopping.signal.aborted || waiting.size >= mostWaiting) return
      const now = dayOf(clock.now())
      if (now !== day) {
        day = now
        today = 0
      }
      if (today >= mostPerDay) return
      const key = `${original.area} ${original.markup ? 1 : 0} ${original.text}`
      if (waiting.has(key)) return
      today += 1
      waiting.set(key, original)
      writing ??= write()
        // The next page records them again.
        .catch((error: unknown) => log.warn({ error: String(error) }, 'originals not recorded'))
        .finally(() => {
          writing = null
        })
    },
    async stop() {
      stopping.abort()
      await writing
    },
  }
}
