import { Counter, Gauge } from 'prom-client'
import { dailySpending, queueLengths } from '#database/translation/queue.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { dayIn } from '#shop/translation/machine/engine-health.ts'
import type { MachineCall } from '#shop/translation/machine/send-batch.ts'
import { measurePurges } from '../../cache/purge-metrics.ts'
import type { PolicyBreach } from '../../http/security/csp-report.ts'
import type { Visit } from '../../http/visit.ts'
import { metrics } from './metrics-registry.ts'
import { refusedMonitor } from './monitor-access.ts'
import { measureOperation } from './operation-metrics.ts'

const webhooks = new Counter({
  name: 'vitrine_webhooks_total',
  help: 'Notifications of the payment provider by what became of them',
  labelNames: ['outcome'],
  registers: [metrics],
})

const webhookOutcomes = ['stored', 'repeated', 'refused', 'malformed'] as const
// Initialized with 0, so that a rate includes the first event.
for (const outcome of webhookOutcomes) webhooks.inc({ outcome }, 0)

export function countWebhook(outcome: (typeof webhookOutcomes)[number]): void {
  webhooks.inc({ outcome })
}

const policyBreaches = new Counter({
  name: 'vitrine_policy_breaches_total',
  help: 'What the content policy of a page kept out, as browsers report it, by directive and whether it was a script',
  labelNames: ['directive', 'script'],
  registers: [metrics],
})

export function countPolicyBreach({ directive, ofScript }: PolicyBreach): void {
  policyBreaches.inc({ directive, script: ofScript ? 'yes' : 'no' })
}

const translationCalls = new Counter({
  name: 'vitrine_translation_calls_total',
  help: 'Calls of the engine that translates, by what became of them',
  labelNames: ['engine', 'outcome'],
  registers: [metrics],
})

const translationCharacters = new Counter({
  name: 'vitrine_translation_characters_total',
  help: 'Characters that the engine has translated',
  labelNames: ['engine'],
  registers: [metrics],
})

export function countTranslation({ engine, outcome, characters }: MachineCall): void {
  translationCalls.inc({ engine, outcome })
  if (outcome === 'done') translationCharacters.inc({ engine }, characters)
}

const translationQueue = new Gauge({
  name: 'vitrine_translation_queue',
  help: 'Texts that wait for the engine, or that it failed at, by language',
  labelNames: ['language', 'state'],
  registers: [metrics],
})

const translationSpent = new Gauge({
  name: 'vitrine_translation_characters_today',
  help: 'Characters sent to the engine today, by all processes',
  labelNames: ['engine'],
  registers: [metrics],
})

/** Updates the metrics that are read from the database. */
export async function measure(tools: Tools): Promise<void> {
  const { db, clock, settings } = tools
  await measureOperation(tools)
  await measurePurges(tools)
  const { engine } = settings.translation.machine
  translationQueue.reset()
  translationSpent.reset()
  if (engine === 'off') return
  for (const { language, state, count } of await queueLengths(db.kysely))
    translationQueue.inc({ language, state: state === 'failed' ? 'failed' : 'waiting' }, count)
  const { characters } = await dailySpending(db.kysely, dayIn(settings.timeZone, clock.now()), engine)
  translationSpent.set({ engine }, characters)
}

/** Answers a monitor with all metrics in Prometheus' text format. */
export async function metricsAnswer(visit: Visit): Promise<Response> {
  const { app } = visit
  const refused = refusedMonitor(visit)
  if (refused !== null) {
    return new Response(
      refused === 403 ? 'The figures are closed: METRICS_TOKEN is not set.\n' : 'Figures need the token.\n',
      {
        status: refused,
        headers: {
          'Content-Type': 'text/plain; charset=UTF-8',
          'Cache-Control': 'no-store',
          ...(refused === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
        },
      },
    )
  }
  // The process's own metrics are exported even without the database.
  await measure(app.tools).catch((error: unknown) =>
    app.tools.log.warn({ error: String(error) }, 'metrics of the database could not be read'),
  )
  return new Response(await metrics.metrics(), {
    headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
  })
}
