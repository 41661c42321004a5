import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDeliveries } from '#database/operations/webhooks.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type WebhookReceiver, webhookReceiver } from '#tests/support/rest/webhook-receiver.ts'
import { type DeliveryTools, deliverWebhook } from './deliver-webhook.ts'
import { sealWebhookSecret } from './webhook-secret.ts'

const shopSecret = 'the secret of the shop'
let db: TestDatabase
let receiver: WebhookReceiver
let tools: DeliveryTools

beforeAll(async () => {
  db = await aDatabase()
  receiver = await webhookReceiver()
  tools = { ...systemEnvironment(systemLog('silent'), ['127.0.0.1']), db, publicUrl: 'https://shop.example' }
})
afterAll(async () => {
  await receiver.close()
  await db.close()
})

async function aWebhook(topic: string): Promise<number> {
  const [row] = await db.sql<{ id: number }[]>`
    insert into webhooks (name, topic, delivery_url, secret, made_by, created_at, updated_at)
    values ('hook', ${topic}, ${receiver.url}, '', 'tester', now(), now()) returning id`
  const id = row?.id ?? 0
  const secret = sealWebhookSecret(tools, shopSecret, { id, secret: 'hook secret' })
  await db.sql`update webhooks set secret = ${secret} where id = ${id}`
  return id
}

const payloadOf = async (_: string, id: number) => (id === 404 ? null : { id, status: 'processing' })
const log = async (id: number) => (await listDeliveries(db.kysely, id, { limit: 10, offset: 0 })).deliveries

describe('the delivery of a webhook', () => {
  it('is repeated with the same id by a process that follows one that died after sending', async () => {
    const webhookId = await aWebhook('order.created')
    const facts = { webhookId, topic: 'order.created', resourceId: 12 }
    // Sends, and dies before the outcome is recorded.
    const dying = { ...tools, db: { ...db, sql: Object.assign(() => {}, { reserve: () => Promise.reject('dead') }) } }
    await expect(
      deliverWebhook(dying as unknown as DeliveryTools, { secret: shopSecret, payloadOf }, facts, 'job-1'),
    ).rejects.toBe('dead')
    expect(receiver.ofTopic('order.created')).toHaveLength(1)
    expect(await log(webhookId)).toMatchObject([{ state: 'pending', attempts: 0 }])

    await deliverWebhook(tools, { secret: shopSecret, payloadOf }, facts, 'job-1')
    const [first, second] = receiver.ofTopic('order.created')
    expect(second?.headers['x-wc-webhook-delivery-id']).toBe(first?.headers['x-wc-webhook-delivery-id'])
    expect(second?.signedWith('hook secret')).toBe(true)
    expect(await log(webhookId)).toMatchObject([{ state: 'delivered', attempts: 1, response_code: 200 }])

    // A third run of the job finds it delivered.
    await deliverWebhook(tools, { secret: shopSecret, payloadOf }, facts, 'job-1')
    expect(receiver.ofTopic('order.created')).toHaveLength(2)
  })

  it('waits longer after each failure, and gives up with the webhook', async () => {
    const webhookId = await aWebhook('order.updated')
    const options = { secret: shopSecret, payloadOf }
    const waits: (number | null)[] = []
    receiver.answer(500, 500, 500, 500, 500, 500)
    await deliverWebhook(tools, options, { webhookId, topic: 'order.updated', resourceId: 12 }, 'job-2')
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const [delivery] = await log(webhookId)
      const { next_at: next, attempted_at: at, id: deliveryId = 0 } = delivery ?? {}
      waits.push(next && at ? Math.round((next.getTime() - at.getTime()) / 60_000) : null)
      if (attempt < 6) await deliverWebhook(tools, options, { webhookId, deliveryId }, `job-2-${attempt}`)
    }
    expect(waits).toEqual([1, 5, 30, 120, 480, null])
    expect(await log(webhookId)).toMatchObject([{ state: 'failed', attempts: 6, response_code: 500 }])
    const [webhook] = await db.sql`select status, failure_count from webhooks where id = ${webhookId}`
    expect(webhook).toEqual({ status: 'disabled', failure_count: 6 })
  })

  it('sends the number alone of a deleted record, and nothing of one that is gone', async () => {
    const webhookId = await aWebhook('order.deleted')
    const options = { secret: shopSecret, payloadOf }
    await deliverWebhook(tools, options, { webhookId, topic: 'order.deleted', resourceId: 404 }, 'job-3')
    expect((await receiver.delivery('order.deleted')).json()).toEqual({ id: 404 })
    await deliverWebhook(tools, options, { webhookId, topic: 'order.restored', resourceId: 404 }, 'job-4')
    expect(receiver.ofTopic('order.restored')).toEqual([])
    expect((await log(webhookId))[0]).toMatchObject({ state: 'failed', summary: 'The record no longer exists.' })
  })

  it('is not sent under a secret that cannot be read, nor by a paused webhook', async () => {
    const webhookId = await aWebhook('coupon.deleted')
    const facts = { webhookId, topic: 'coupon.deleted', resourceId: 1 }
    await deliverWebhook(tools, { secret: 'another secret of the shop', payloadOf }, facts, 'job-5')
    await db.sql`update webhooks set status = 'paused' where id = ${webhookId}`
    await deliverWebhook(tools, { secret: shopSecret, payloadOf }, facts, 'job-6')
    expect(receiver.ofTopic('coupon.deleted')).toEqual([])
    expect((await log(webhookId)).map(({ summary }) => summary)).toEqual([
      'The webhook is paused.',
      'The secret was encrypted with another VITRINE_SECRET: set it again.',
    ])
  })
})
