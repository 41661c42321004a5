import { actionHooks, resourceTopics } from '#contract/operations/webhook-topics.ts'
import {
  type DeliveryRow,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookRow,
} from '#database/operations/webhooks.ts'
import {
  changeWebhook,
  createWebhook,
  pingWebhook,
  removeWebhook,
  replayDelivery,
} from '#shop/operations/webhooks/manage-webhooks.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, isConfirmed, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { fail, rejectUsage } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

const topics = [...resourceTopics, ...actionHooks.map((hook) => `action.${hook}`)]
const mostListed = 1000
const mostDeliveries = 50

const allWebhooks = {
  status: null,
  search: '',
  after: null,
  before: null,
  modifiedAfter: null,
  modifiedBefore: null,
  include: [],
  exclude: [],
  orderBy: 'id',
  descending: false,
} as const

export const webhooksCommand = commandGroup('webhooks', {
  list: {
    usage: '[--json]',
    summary: 'Lists the webhooks. Their secrets cannot be shown again.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { db, print, say }) {
      const { webhooks } = await listWebhooks(db.kysely, allWebhooks, { limit: mostListed, offset: 0 })
      if (json) print(JSON.stringify(webhooks.map(webhookJson)))
      else if (webhooks.length === 0) {
        say('There are no webhooks yet. Create one: webhooks create order.created https://example.com/hook')
      } else {
        const head = ['Number', 'Topic', 'Delivers to', 'Status', 'Failures in a row', 'Made (UTC)']
        const rows = webhooks.map((row) => [
          String(row.id),
          row.topic,
          row.delivery_url,
          row.status,
          String(row.failure_count),
          `${minute(row.created_at)} by ${row.made_by}`,
        ])
        for (const line of tableLines([head, ...rows], [0, 4])) print(line)
      }
      return 0
    },
  },

  create: {
    usage: '<topic> <url> [--name <name>] [--secret <secret>] [--json]',
    summary: 'Creates a webhook, and shows its secret once. A running shop sends it a ping.',
    example: 'order.created https://example.com/hook',
    options: {
      ...jsonOption,
      name: { type: 'string', value: '<name>', what: 'name in lists' },
      secret: { type: 'string', value: '<secret>', what: 'signs deliveries; by default a new one' },
    },
    words: [2, 2],
    completes: [topics],
    async run([topic = '', deliveryUrl = ''], { json, name, secret: given }, context) {
      const manager = { secret: await context.shopSecret(), who: context.who }
      const written = { topic, deliveryUrl, name: textGiven(name), secret: textGiven(given) }
      const made = await createWebhook(context, manager, written)
      if (!made.ok) {
        return made.fault === 'topic'
          ? rejectUsage(context, `"${topic}" is not one of the topics ${topics.join(', ')}`)
          : rejectUsage(
              context,
              `"${deliveryUrl}" is not an address like https://example.com/hook, without a name and password`,
            )
      }
      const { webhook, secret } = made.value
      if (json) context.print(JSON.stringify({ ...webhookJson(webhook), secret }))
      else {
        context.print(`Secret  ${secret}`)
        context.say(`Created webhook ${webhook.id} for ${topic}. Copy its secret: it is shown once.`)
      }
      return 0
    },
  },

  enable: {
    usage: '<number>',
    summary: 'Activates a webhook that was paused, or disabled after repeated failures.',
    example: '3',
    options: {},
    words: [1, 1],
    run: ([word = ''], _, context) => setStatus(word, 'active', context),
  },

  pause: {
    usage: '<number>',
    summary: 'Pauses a webhook: changes are not delivered, nor later on.',
    example: '3',
    options: {},
    words: [1, 1],
    run: ([word = ''], _, context) => setStatus(word, 'paused', context),
  },

  ping: {
    usage: '<number>',
    summary: 'Sends the form with the number of the webhook. A running shop does it within seconds.',
    example: '3',
    options: {},
    words: [1, 1],
    async run([word = ''], _, context) {
      if (!isNumber(word)) return notANumber(word, context)
      const delivery = await pingWebhook(context, Number(word))
      if (!delivery) return unknownWebhook(word, context)
      context.say(`Webhook ${word} will be pinged. See the outcome: webhooks deliveries ${word}`)
      return 0
    },
  },

  deliveries: {
    usage: '<number> [--json]',
    summary: `Lists the last ${mostDeliveries} deliveries of a webhook, the newest first.`,
    example: '3',
    options: jsonOption,
    words: [1, 1],
    async run([word = ''], { json }, context) {
      if (!isNumber(word)) return notANumber(word, context)
      if (!(await findWebhook(context.db.kysely, Number(word)))) return unknownWebhook(word, context)
      const page = { limit: mostDeliveries, offset: 0 }
      const { total, deliveries } = await listDeliveries(context.db.kysely, Number(word), page)
      if (json) context.print(JSON.stringify(deliveries.map(deliveryJson)))
      else if (total === 0) context.say(`Webhook ${word} has had no deliveries in the last 30 days.`)
      else {
        const head = ['Number', 'Topic', 'Record', 'State', 'Attempts', 'Outcome', 'Since (UTC)', 'Next try (UTC)']
        for (const line of tableLines([head, ...deliveries.map(deliveryCells)], [0, 2, 4])) context.print(line)
      }
      return 0
    },
  },

  replay: {
    usage: '<number of a delivery>',
    summary: 'Delivers again, with the record as it is now.',
    example: '17',
    options: {},
    words: [1, 1],
    async run([word = ''], _, context) {
      if (!isNumber(word)) return notANumber(word, context)
      const delivery = await replayDelivery(context, Number(word))
      if (delivery === null) {
        return fail(context, `delivery ${word} does not exist. List them: webhooks deliveries <number of the webhook>`)
      }
      if (delivery === 'inactive') {
        return fail(context, `the webhook of delivery ${word} is not active. Activate it: webhooks enable <number>`)
      }
      context.say(`Delivery ${word} will be sent again as delivery ${delivery.id}.`)
      return 0
    },
  },

  delete: {
    usage: '<number> [--yes]',
    summary: 'Deletes a webhook and the log of its deliveries.',
    example: '3 --yes',
    options: yesOption,
    words: [1, 1],
    async run([word = ''], given: Given, context) {
      if (!isNumber(word)) return notANumber(word, context)
      if (!(await isConfirmed(given, context, `Delete webhook ${word}`, 'Its log is deleted as well.'))) return 1
      const gone = await removeWebhook(context, { who: context.who }, Number(word))
      if (!gone) return unknownWebhook(word, context)
      context.say(`Deleted webhook ${word}.`)
      return 0
    },
  },
})

async function setStatus(word: string, status: 'active' | 'paused', context: CommandContext): Promise<number> {
  if (!isNumber(word)) return notANumber(word, context)
  const manager = { secret: await context.shopSecret(), who: context.who }
  const changed = await changeWebhook(context, manager, Number(word), { status })
  if (!changed.ok) return unknownWebhook(word, context)
  context.say(`Webhook ${word} is ${status}.`)
  return 0
}

const isNumber = (word: string) => /^[1-9]\d{0,14}$/.test(word)

const notANumber = (word: string, context: CommandContext) =>
  rejectUsage(context, `"${word}" is not a number of a webhook or delivery. List webhooks: webhooks list`)

const unknownWebhook = (word: string, context: CommandContext) =>
  fail(context, `webhook ${word} does not exist. List them: webhooks list`)

function webhookJson({ id, name, status, topic, delivery_url, failure_count, made_by, created_at }: WebhookRow) {
  return {
    id,
    name,
    status,
    topic,
    deliveryUrl: delivery_url,
    failures: failure_count,
    madeBy: made_by,
    madeAt: created_at,
  }
}

function deliveryJson(row: DeliveryRow) {
  return {
    id: row.id,
    topic: row.topic,
    record: row.resource_id,
    state: row.state,
    attempts: row.attempts,
    outcome: row.summary,
    createdAt: row.created_at,
    nextAt: row.next_at,
  }
}

const deliveryCells = (row: DeliveryRow): string[] => [
  String(row.id),
  row.topic,
  String(row.resource_id),
  row.state,
  String(row.attempts),
  row.summary,
  minute(row.created_at),
  row.next_at ? minute(row.next_at) : '',
]
