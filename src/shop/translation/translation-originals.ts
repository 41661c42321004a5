import { dayOf, type Original, saveOriginals } from '#database/translation/translations.ts'
import type { Tools } from '../shared/tools.ts'

/** Keeps the texts that pages asked for and that nobody has seen before, so that they can be found and translated. */
export type OriginalsBook = {
  /** Takes a note; it is written down a little later, behind the back of whoever is waiting. */
  note(original: Original): void
  /** Writes down what is noted, and takes no more. */
  stop(): Promise<void>
}

const pauseMs = 500
/** In one statement. */
const atOnce = 500
/** Waiting to be written down. */
const mostWaiting = 20_000
/** A shop's own texts are fewer; what goes beyond comes from something that makes texts without end. */
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
        // They come again with the next page that asks for them.
        .catch((error: unknown) => log.warn({ error: String(error) }, 'texts to translate could not be noted'))
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
