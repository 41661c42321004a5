import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { webhooksCommand } from './webhooks.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const webhooks = (...args: string[]) => runCommand(webhooksCommand, db, ...args)

describe('npm run shop -- webhooks', () => {
  it('creates a webhook with a secret that it shows once, and lists it', async () => {
    expect((await webhooks('list')).err).toContain('There are no webhooks yet.')
    const made = await webhooks('create', 'order.created', 'https://warehouse.example/hook')
    expect(made).toMatchObject({
      code: 0,
      err: 'Created webhook 1 for order.created. Copy its secret: it is shown once.',
    })
    const secret = /^Secret {2}(\w{50})$/.exec(made.out)?.[1]
    expect(secret).toBeDefined()
    const { out } = await webhooks('list')
    expect(out).toContain('https://warehouse.example/hook')
    expect(out + (await webhooks('list', '--json')).out).not.toContain(secret)
  })

  it('refuses unknown topics and addresses', async () => {
    expect(await webhooks('create', 'order.lost', 'https://x.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"order.lost" is not one of the topics coupon.created,'),
    })
    expect(await webhooks('create', 'order.created', 'x.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"x.example" is not an address'),
    })
  })

  it('pings, pauses and activates a webhook, and shows and replays its deliveries', async () => {
    expect((await webhooks('ping', '1')).err).toBe('Webhook 1 will be pinged. See the outcome: webhooks deliveries 1')
    const deliveries = async () => JSON.parse((await webhooks('deliveries', '1', '--json')).out)
    expect(await deliveries()).toMatchObject([
      { id: 2, topic: 'ping', state: 'pending' },
      { id: 1, topic: 'ping', state: 'pending' },
    ])
    expect((await webhooks('deliveries', '1')).out).toContain('ping')
    expect((await webhooks('replay', '1')).err).toBe('Delivery 1 will be sent again as delivery 3.')
    await db.sql`update webhook_deliveries set topic = 'order.created', state = 'failed' where id = 1`
    expect((await webhooks('pause', '1')).err).toBe('Webhook 1 is paused.')
    expect(await webhooks('replay', '1')).toMatchObject({ code: 1, err: expect.stringContaining('is not active') })
    expect((await webhooks('enable', '1')).err).toBe('Webhook 1 is active.')
    expect((await webhooks('replay', '1')).code).toBe(0)
    expect(await webhooks('replay', '99')).toMatchObject({ code: 1, err: expect.stringContaining('does not exist') })
    expect(await webhooks('ping', 'one')).toMatchObject({ code: 2 })
    const keys = await db.sql<{ key: string }[]>`select key from graphile_worker._private_jobs order by id`
    expect(keys.map(({ key }) => key)).toEqual([1, 2, 3, 4].map((id) => `webhook-delivery:${id}`))
  })

  it('deletes a webhook with its log after a confirmation', async () => {
    expect(await webhooks('delete', '1')).toMatchObject({ code: 1 })
    const yes = { ask: async () => true }
    expect((await runCommandWith(yes, webhooksCommand, db, 'delete', '1')).err).toBe('Deleted webhook 1.')
    expect(await db.sql`select 1 from webhook_deliveries`).toHaveLength(0)
    expect(await webhooks('delete', '1', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('webhook 1 does not exist'),
    })
  })
})
