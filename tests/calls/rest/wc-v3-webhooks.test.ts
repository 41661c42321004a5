import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { type WebhookReceiver, webhookReceiver } from '#tests/support/rest/webhook-receiver.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Webhook = { id: number; status: string; topic: string } & Record<string, unknown>
type Delivery = { id: number; topic: string; status: string; attempts: number; response_code: number | null } & Record<
  string,
  unknown
>

let shop: TestShop
let tools: Tools
let call: V3Client
let receiver: WebhookReceiver

beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { timeZone: 'America/New_York' } })
  tools = shop.shop.application.tools
  call = await v3Client(shop)
  receiver = await webhookReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await shop?.close()
})

async function placeOrder(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', 1)
  await shopper.openCheckout()
  const response = await shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))
  const answer = (await response.json()) as { result: string; messages?: string; order_id: number }
  expect(answer.result, answer.messages).toBe('success')
  return answer.order_id
}

const create = async (topic: string, more: object = {}) => {
  const made = await call<Webhook>('POST', 'webhooks', {
    topic,
    delivery_url: `${receiver.url}/hook`,
    secret: 'hook secret',
    ...more,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const log = async (id: number) => (await call<Delivery[]>('GET', `webhooks/${id}/deliveries`)).body
const remove = (id: number) => call('DELETE', `webhooks/${id}?force=true`)

describe('wc/v3/webhooks', () => {
  it('creates, reads, lists, changes and deletes webhooks without showing their secrets', async () => {
    const made = await call<Webhook>('POST', 'webhooks', {
      name: 'Orders to the warehouse',
      topic: 'order.updated',
      delivery_url: 'https://warehouse.example/hook',
      status: 'paused',
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.headers.get('location')).toBe(`${shop.url}/wp-json/wc/v3/webhooks/${id}`)
    expect(made.body).toEqual({
      id,
      name: 'Orders to the warehouse',
      status: 'paused',
      topic: 'order.updated',
      resource: 'order',
      event: 'updated',
      hooks: ['woocommerce_update_order'],
      delivery_url: 'https://warehouse.example/hook',
      date_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      date_created_gmt: expect.any(String),
      date_modified: expect.any(String),
      date_modified_gmt: expect.any(String),
      _links: expect.any(Object),
    })
    expect((await call('GET', `webhooks/${id}`)).body).toEqual(made.body)
    const changed = await call<Webhook>('PUT', `webhooks/${id}`, { name: 'Renamed', secret: 'another one' })
    expect(changed.body).toMatchObject({ id, name: 'Renamed', status: 'paused' })
    const found = await call<Webhook[]>('GET', 'webhooks?status=paused&search=renam')
    expect(found.body.map((one) => one.id)).toEqual([id])
    expect(found.headers.get('x-wp-total')).toBe('1')
    expect((await call('GET', 'webhooks?status=active&search=renam')).body).toEqual([])
    const [stored] = await shop.db.sql<{ secret: string }[]>`select secret from webhooks where id = ${id}`
    expect(stored?.secret).not.toContain('another one')
    expect(await call('DELETE', `webhooks/${id}`)).toMatchObject({
      status: 501,
      body: { code: 'woocommerce_rest_trash_not_supported' },
    })
    expect((await remove(id)).body).toMatchObject({ id, name: 'Renamed' })
    expect(await call('GET', `webhooks/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_shop_webhook_invalid_id' },
    })
  })

  it('pages its list, and names a webhook after its time', async () => {
    const ids = []
    for (const topic of ['coupon.created', 'customer.created', 'product.published']) {
      ids.push((await create(topic, { status: 'paused' })).id)
    }
    const page = await call<Webhook[]>('GET', 'webhooks?per_page=2&orderby=id&order=asc')
    expect(page.body.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(page.body[0]?.name).toMatch(/^Webhook created on \d{4}-/)
    expect(page.headers.get('x-wp-total')).toBe('3')
    expect(page.headers.get('x-wp-totalpages')).toBe('2')
    expect(page.headers.get('link')).toContain('rel="next"')
    expect((await call<Webhook[]>('GET', `webhooks?exclude=${ids[0]}&include=${ids}`)).body).toHaveLength(2)
    for (const id of ids) await remove(id)
  })

  it('refuses unknown topics, addresses and parameters, and keys without the permission', async () => {
    const url = 'https://warehouse.example/hook'
    const codeOf = async (body: object) => (await call<{ code: string }>('POST', 'webhooks', body)).body.code
    expect(await codeOf({ topic: 'order.lost', delivery_url: url })).toBe('woocommerce_rest_webhook_invalid_topic')
    expect(await codeOf({ delivery_url: url })).toBe('woocommerce_rest_webhook_invalid_topic')
    expect(await codeOf({ topic: 'action.woocommerce_unknown', delivery_url: url })).toBe(
      'woocommerce_rest_webhook_invalid_topic',
    )
    for (const delivery_url of ['ftp://x.example', 'no address', 'https://me:you@x.example/'])
      expect(await codeOf({ topic: 'order.created', delivery_url })).toBe(
        'woocommerce_rest_webhook_invalid_delivery_url',
      )
    expect(await call('GET', 'webhooks?status=lost')).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { status: expect.any(String) } } },
    })
    const reader = await v3Client(shop, 'read')
    expect((await reader('GET', 'webhooks')).status).toBe(200)
    expect((await reader('POST', 'webhooks', { topic: 'order.created', delivery_url: url })).status).toBe(401)
  })

  it('applies a batch, of which one element fails', async () => {
    const first = await create('order.created', { status: 'paused' })
    const { body } = await call<{ create: Webhook[]; update: Webhook[]; delete: Webhook[] }>('POST', 'webhooks/batch', {
      create: [{ topic: 'order.lost', delivery_url: 'https://x.example' }],
      update: [{ id: first.id, name: 'Batched' }],
      delete: [first.id, 999_999],
    })
    expect(body.create[0]).toMatchObject({ error: { code: 'woocommerce_rest_webhook_invalid_topic' } })
    expect(body.update[0]).toMatchObject({ id: first.id, name: 'Batched' })
    expect(body.delete.map(({ id, error }) => [id, error !== undefined])).toEqual([
      [first.id, false],
      [999_999, true],
    ])
  })
})

describe('a webhook', () => {
  it('is pinged with a form, and receives the signed record of each order', async () => {
    const { id } = await create('order.created')
    const isPing = ({ body }: { body: string }) => body === `webhook_id=${id}`
    await expect.poll(() => receiver.received.filter(isPing).length).toBe(1)
    const headers = receiver.received.find(isPing)?.headers
    expect(headers?.['content-type']).toBe('application/x-www-form-urlencoded')
    expect(headers?.['x-wc-webhook-signature']).toBeUndefined()

    const orderId = await placeOrder('ida')
    const sent = await receiver.delivery('order.created')
    expect(sent.signedWith('hook secret')).toBe(true)
    expect(sent.headers).toMatchObject({
      'content-type': 'application/json',
      'x-wc-webhook-source': `${shop.url}/`,
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-resource': 'order',
      'x-wc-webhook-event': 'created',
      'x-wc-webhook-id': String(id),
      'x-wc-webhook-delivery-id': expect.stringMatching(/^\d+$/),
    })
    expect(sent.json()).toEqual((await call('GET', `orders/${orderId}`)).body)
    await expect.poll(async () => (await log(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    const [delivery] = await log(id)
    expect(delivery).toMatchObject({ topic: 'order.created', resource_id: orderId, attempts: 1, response_code: 200 })
    expect((await call('GET', `webhooks/${id}/deliveries/${delivery?.id}`)).body).toEqual(delivery)
    expect((await call('GET', `webhooks/${id}/deliveries/999999`)).status).toBe(404)
    expect((await call('GET', 'webhooks/999999/deliveries')).body.code).toBe('woocommerce_rest_shop_webhook_invalid_id')
    const [access] = await shop.db.sql`select * from access_log where who = ${`webhook:${id}`}`
    expect(access).toMatchObject({ action: 'orders show', subject: `order:${orderId}` })
    await remove(id)
  })

  it('receives updates, and hooks of its own', async () => {
    const updated = await create('order.updated')
    const action = await create('action.woocommerce_order_status_completed')
    const orderId = await placeOrder('bob')
    await transitionOrder(tools, orderId, { to: 'completed' })
    expect((await receiver.delivery('order.updated')).json()).toMatchObject({ id: orderId, status: 'completed' })
    const hook = await receiver.delivery('action.woocommerce_order_status_completed')
    expect(hook.json()).toEqual({ action: 'woocommerce_order_status_completed', arg: orderId })
    expect(hook.headers).toMatchObject({
      'x-wc-webhook-resource': 'action',
      'x-wc-webhook-event': 'woocommerce_order_status_completed',
    })
    for (const { id } of [updated, action]) await remove(id)
  })

  it('receives products as REST v3 shows them, and only the number of a deleted one', async () => {
    const updated = await create('product.updated')
    const deleted = await create('product.deleted')
    const mug = await shop.idOf('MUG')
    await call('PUT', `products/${mug}`, { name: 'Renamed mug' })
    const sent = await receiver.delivery('product.updated')
    expect(sent.json()).toEqual((await call('GET', `products/${mug}`)).body)
    expect(sent.json()).toMatchObject({ id: mug, name: 'Renamed mug' })
    const bowl = await shop.idOf('BOWL')
    await call('DELETE', `products/${bowl}`)
    expect((await receiver.delivery('product.deleted')).json()).toEqual({ id: bowl })
    for (const { id } of [updated, deleted]) await remove(id)
  })

  it('receives the number alone of an order in the trash, and its record when it comes back', async () => {
    const deleted = await create('order.deleted')
    const restored = await create('order.restored')
    const orderId = await placeOrder('gil')
    expect((await call('DELETE', `orders/${orderId}`)).status).toBe(200)
    expect((await receiver.delivery('order.deleted')).json()).toEqual({ id: orderId })
    const { body } = await call<{ status: string }>('PUT', `orders/${orderId}`, { status: 'on-hold' })
    expect(body.status).toBe('on-hold')
    expect((await receiver.delivery('order.restored')).json()).toMatchObject({ id: orderId })
    for (const { id } of [deleted, restored]) await remove(id)
  })

  it('receives coupons as REST v3 shows them', async () => {
    const made = await create('coupon.created')
    const { body } = await call<{ id: number }>('POST', 'coupons', {
      code: 'summer',
      amount: '10',
      discount_type: 'percent',
    })
    expect((await receiver.delivery('coupon.created')).json()).toMatchObject({
      id: body.id,
      code: 'summer',
      amount: '10.00',
    })
    await remove(made.id)
  })

  it('tries again after a failure, under the same delivery id', async () => {
    const { id } = await create('action.woocommerce_new_order')
    await expect.poll(async () => (await log(id)).map(({ status }) => status)).toEqual(['delivered'])
    receiver.answer(503)
    await placeOrder('cem')
    const topic = 'action.woocommerce_new_order'
    const first = await receiver.delivery(topic)
    await expect
      .poll(async () => (await log(id))[0])
      .toMatchObject({
        status: 'pending',
        attempts: 1,
        response_code: 503,
        date_next_attempt_gmt: expect.any(String),
      })
    const [waiting] = await shop.db.sql<
      { failure_count: number }[]
    >`select failure_count from webhooks where id = ${id}`
    expect(waiting?.failure_count).toBe(1)
    await shop.db.sql`update graphile_worker._private_jobs set run_at = now() where key like 'webhook-delivery:%'`
    const second = await receiver.delivery(topic, 2)
    expect(second.headers['x-wc-webhook-delivery-id']).toBe(first.headers['x-wc-webhook-delivery-id'])
    await expect.poll(async () => (await log(id))[0]).toMatchObject({ status: 'delivered', attempts: 2 })
    const [after] = await shop.db.sql<{ failure_count: number }[]>`select failure_count from webhooks where id = ${id}`
    expect(after?.failure_count).toBe(0)
    await remove(id)
  }, 30_000)

  it('is disabled after more than five failures in a row, and delivers nothing then', async () => {
    const topic = 'action.woocommerce_order_status_on-hold'
    const { id } = await create(topic)
    const orderId = await placeOrder('dan')
    const status = async () => (await call<Webhook>('GET', `webhooks/${id}`)).body.status
    await expect.poll(async () => (await log(id))[0]?.status).toBe('delivered')
    for (let failures = 1; failures <= 6; failures += 1) {
      expect(await status()).toBe('active')
      receiver.answer(500)
      await transitionOrder(tools, orderId, { to: 'on-hold' })
      await receiver.delivery(topic, failures)
      await expect.poll(async () => (await log(id))[0]?.attempts).toBe(1)
      await transitionOrder(tools, orderId, { to: 'processing' })
    }
    await expect.poll(status).toBe('disabled')
    await transitionOrder(tools, orderId, { to: 'on-hold' })
    const queued = await shop.db.sql`
      select 1 from graphile_worker._private_jobs where key = ${`webhook:${id}:${topic}:${orderId}`}`
    expect(queued).toHaveLength(0)
    // Activated again, its failures are forgotten.
    expect((await call<Webhook>('PUT', `webhooks/${id}`, { status: 'active' })).body.status).toBe('active')
    const [row] = await shop.db.sql<{ failure_count: number }[]>`select failure_count from webhooks where id = ${id}`
    expect(row?.failure_count).toBe(0)
    await remove(id)
  }, 30_000)

  it('takes a redirect as a failure, and does not follow it', async () => {
    const topic = 'action.woocommerce_order_status_cancelled'
    const { id } = await create(topic, { delivery_url: `${receiver.url}/redirect` })
    const orderId = await placeOrder('eve')
    await transitionOrder(tools, orderId, { to: 'cancelled' })
    await expect.poll(async () => (await log(id))[0]).toMatchObject({ topic, attempts: 1, response_code: 302 })
    expect(receiver.received.some(({ path }) => path.startsWith('/elsewhere'))).toBe(false)
    await remove(id)
  })

  it('reaches no server in the own network that the operator has not listed', async () => {
    const { id } = await create('order.restored', { delivery_url: 'http://10.0.0.1/hook' })
    await expect
      .poll(async () => (await log(id))[0])
      .toMatchObject({
        topic: 'ping',
        status: 'failed',
        response_code: null,
        summary: 'refused: a private address',
      })
    await remove(id)
  })
})
