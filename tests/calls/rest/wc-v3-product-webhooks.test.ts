import { afterAll, beforeAll, expect, it } from 'vitest'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { type WebhookReceiver, webhookReceiver } from '#tests/support/rest/webhook-receiver.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let api: V3Client
let receiver: WebhookReceiver
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  api = await v3Client(shop)
  receiver = await webhookReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await shop?.close()
})

it('a product written over REST reaches webhooks as its record, and its deletion as its id', async () => {
  for (const topic of ['product.created', 'product.deleted']) {
    const hook = await api('POST', 'webhooks', { topic, delivery_url: `${receiver.url}/hook`, secret: 'secret' })
    expect(hook.status, JSON.stringify(hook.body)).toBe(201)
  }
  const { body: product } = await api<V3Product>('POST', 'products', { name: 'Announced', regular_price: '7' })
  expect((await receiver.delivery('product.created')).json()).toEqual((await api('GET', `products/${product.id}`)).body)
  await api('DELETE', `products/${product.id}?force=true`)
  expect((await receiver.delivery('product.deleted')).json()).toEqual({ id: product.id })
})
