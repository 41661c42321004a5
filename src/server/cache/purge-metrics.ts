import { Counter, Gauge } from 'prom-client'
import { readPurgeState } from '#database/operations/page-purges.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { metrics } from '../operations/metrics/metrics-registry.ts'

const purges = new Counter({
  name: 'vitrine_page_purges_total',
  help: 'How often this process told a cache in front what has changed: of some pages, of all, or in vain',
  labelNames: ['outcome'],
  registers: [metrics],
})
// Initialized with 0, so that a rate includes the first event.
for (const outcome of ['some', 'all', 'failed']) purges.inc({ outcome }, 0)

export const countPurge = (outcome: 'some' | 'all' | 'failed') => purges.inc({ outcome })

const oldest = new Gauge({
  name: 'vitrine_page_purge_oldest_seconds',
  help: 'How long the oldest change has waited of which a cache in front has not been told; 0: there is none',
  registers: [metrics],
})

/** Updates the metrics of CDN purges over all processes. */
export async function measurePurges({ db, clock }: Pick<Tools, 'db' | 'clock'>): Promise<void> {
  const { marks } = await readPurgeState(db)
  const waiting = [...marks.values()].flatMap(({ since }) => (since ? [since.getTime()] : []))
  oldest.set(waiting.length === 0 ? 0 : Math.max(0, clock.now().getTime() - Math.min(...waiting)) / 1000)
}
