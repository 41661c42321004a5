import { Counter, Gauge, Registry } from 'prom-client'
import { queueLengths, spentOn } from '#database/translation-queue.ts'
import { dayIn } from '#shop/machine-health.ts'
import type { MachineCall } from '#shop/machine-turn.ts'
import type { Tools } from '#shop/tools.ts'
import type { PolicyBreach } from './policy-report.ts'

/** What the operator may count. One registry for the process. */
export const metrics = new Registry()

const webhooks = new Counter({
  name: 'vitrine_webhooks_total',
  help: 'Notifications of the payment provider by what became of them',
  labelNames: ['outcome'],
  registers: [metrics],
})

export function countWebhook(outcome: 'stored' | 'repeated' | 'refused' | 'malformed'): void {
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

/** Reads what no process counts by itself. */
export async function measure({ db, clock, settings }: Tools): Promise<void> {
  const { engine } = settings.translation.machine
  translationQueue.reset()
  translationSpent.reset()
  if (engine === 'off') return
  for (const { language, state, count } of await queueLengths(db.kysely))
    translationQueue.inc({ language, state: state === 'failed' ? 'failed' : 'waiting' }, count)
  const { characters } = await spentOn(db.kysely, dayIn(settings.timeZone, clock.now()), engine)
  translationSpent.set({ engine }, characters)
}
