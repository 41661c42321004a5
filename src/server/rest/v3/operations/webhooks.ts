import {
  type V3WebhooksQuery,
  v3Webhook,
  v3WebhookDeliveriesQuery,
  v3WebhookDelivery,
  v3WebhookInput,
  v3WebhooksQuery,
} from '#contract/operations/v3-webhooks.ts'
import { actionHooks, resourceTopics } from '#contract/operations/webhook-topics.ts'
import {
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookFilter,
  type WebhookRow,
} from '#database/operations/webhooks.ts'
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  type WebhookManager,
  type WebhookResult,
  type WrittenWebhook,
} from '#shop/operations/webhooks/manage-webhooks.ts'
import { momentOf } from '../resource/moment.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { deliveryRecord, webhookRecord } from './webhook-record.ts'

const noun = 'shop_webhook'

/** `wc/v3/webhooks` */
export const v3WebhookCalls = v3Resource({
  path: 'webhooks',
  title: 'webhook',
  item: v3Webhook,
  batch: true,
  list: {
    query: v3WebhooksQuery,
    async run({ tools }, query) {
      const { timeZone } = tools.settings
      const page = { limit: query.per_page, offset: query.offset ?? query.per_page * (query.page - 1) }
      const { total, webhooks } = await listWebhooks(tools.db.kysely, filterOf(query, timeZone), page)
      return { total, records: webhooks.map((row) => webhookRecord(row, timeZone)) }
    },
  },
  async get({ tools }, id: number) {
    const row = await findWebhook(tools.db.kysely, id)
    if (!row) throw unknownId(noun)
    return webhookRecord(row, tools.settings.timeZone)
  },
  create: {
    input: v3WebhookInput,
    async run(context, input) {
      const { tools } = context
      const { webhook } = resultOf(await createWebhook(tools, managerOf(context), writtenOf(input)))
      return webhookRecord(webhook, tools.settings.timeZone)
    },
  },
  update: {
    input: v3WebhookInput,
    async run(context, id, input) {
      const row = resultOf(await changeWebhook(context.tools, managerOf(context), id, writtenOf(input)))
      return webhookRecord(row, context.tools.settings.timeZone)
    },
  },
  remove: {
    trash: false,
    async run(context, id) {
      const row = await removeWebhook(context.tools, managerOf(context), id)
      if (!row) throw unknownId(noun)
      return webhookRecord(row, context.tools.settings.timeZone)
    },
  },
})

/** `wc/v3/webhooks/<id>/deliveries`: the log, read only. */
export const v3WebhookDeliveryCalls = v3Resource({
  path: 'webhooks/:webhook_id/deliveries',
  title: 'webhook delivery',
  item: v3WebhookDelivery,
  list: {
    query: v3WebhookDeliveriesQuery,
    async run(context, query) {
      const { tools } = context
      const webhook = await webhookOf(context)
      const page = { limit: query.per_page, offset: query.offset ?? query.per_page * (query.page - 1) }
      const { total, deliveries } = await listDeliveries(tools.db.kysely, webhook.id, page)
      return { total, records: deliveries.map((row) => deliveryRecord(row, tools.settings.timeZone)) }
    },
  },
  async get(context, id: number) {
    const webhook = await webhookOf(context)
    const row = await findDelivery(context.tools.db.kysely, id)
    if (row?.webhook_id !== webhook.id) throw unknownId('webhook_delivery')
    return deliveryRecord(row, context.tools.settings.timeZone)
  },
  links: (_, { path }) => ({ up: [{ href: `wc/v3/webhooks/${path.webhook_id}` }] }),
})

async function webhookOf({ tools, path }: V3Context): Promise<WebhookRow> {
  const row = await findWebhook(tools.db.kysely, Number(path.webhook_id))
  if (!row) throw unknownId(noun)
  return row
}

const managerOf = ({ visit, caller }: V3Context): WebhookManager => ({ secret: visit.app.secret, who: caller.who })

const writtenOf = ({
  name,
  status,
  topic,
  delivery_url: deliveryUrl,
  secret,
}: Omit<WrittenWebhook, 'deliveryUrl'> & { delivery_url?: string | undefined }): WrittenWebhook => ({
  name,
  status,
  topic,
  deliveryUrl,
  secret,
})

function resultOf<Value>(result: WebhookResult<Value>): Value {
  if (result.ok) return result.value
  switch (result.fault) {
    case 'unknown':
      throw unknownId(noun)
    case 'topic':
      throw new V3Error(
        400,
        'woocommerce_rest_webhook_invalid_topic',
        `Webhook topic must be valid: ${resourceTopics.join(', ')}, or action. with one of ${actionHooks.join(', ')}.`,
      )
    case 'delivery-url':
      throw new V3Error(
        400,
        'woocommerce_rest_webhook_invalid_delivery_url',
        'Webhook delivery URL must be a valid URL starting with http:// or https://.',
      )
  }
}

const sorts = { date: 'created', id: 'id', title: 'name' } as const

function filterOf(query: V3WebhooksQuery, timeZone: string): WebhookFilter {
  const moment = (text: string | undefined) => momentOf(text, query.dates_are_gmt ? 'UTC' : timeZone)
  return {
    status: query.status === 'all' ? null : query.status,
    search: query.search,
    after: moment(query.after),
    before: moment(query.before),
    modifiedAfter: moment(query.modified_after),
    modifiedBefore: moment(query.modified_before),
    include: query.include,
    exclude: query.exclude,
    orderBy: sorts[query.orderby],
    descending: query.order === 'desc',
  }
}
