import type { Tools } from '#shop/shared/tools.ts'
import { translateQueue } from '#shop/translation/machine/translate-queue.ts'
import { countTranslation } from '../../operations/metrics/metrics.ts'

/** Begun every minute; what it does not get done in this time the next one goes on with. */
const lifeMs = 50_000

/** Has what nobody has translated yet translated by the machine that the merchant has set up, where there is one. */
export function translateJob(tools: Tools): { work(): Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController()
  let working: Promise<unknown> = Promise.resolve()
  return {
    async work() {
      const until = new Date(tools.clock.now().getTime() + lifeMs)
      const run = translateQueue(tools, { until, stopping: stopping.signal, note: countTranslation })
      working = run.catch(() => {})
      const { end, saved } = await run
      if (saved > 0) tools.log.info({ end, saved }, 'the machine has translated')
    },
    /** Cuts what is under way; it stays in the queue. */
    async stop() {
      stopping.abort()
      await working
    },
  }
}
