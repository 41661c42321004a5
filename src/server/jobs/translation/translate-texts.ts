import type { Tools } from '#shop/shared/tools.ts'
import { translateQueue } from '#shop/translation/machine/translate-queue.ts'
import { countTranslation } from '../../operations/metrics/metrics.ts'

/** Started every minute; the next run continues what this one does not finish in time. */
const lifeMs = 50_000

/** Translates missing texts with the engine that the merchant has set up, if there is one. */
export function translateJob(tools: Tools): { work(): Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController()
  let working: Promise<unknown> = Promise.resolve()
  return {
    async work() {
      const until = new Date(tools.clock.now().getTime() + lifeMs)
      const run = translateQueue(tools, { until, stopping: stopping.signal, note: countTranslation })
      working = run.catch(() => {})
      const { end, saved } = await run
      if (saved > 0) tools.log.info({ end, saved }, 'machine translation saved')
    },
    /** Aborts work in progress; it stays in the queue. */
    async stop() {
      stopping.abort()
      await working
    },
  }
}
