import { Counter, Registry } from 'prom-client'

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
