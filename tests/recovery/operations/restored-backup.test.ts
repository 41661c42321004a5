import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doctorCommand } from '#cli/operations/doctor.ts'
import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { connect } from '#database/engine/connect.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { restoreBackup } from '#shop/operations/backup/restore-backup.ts'
import { takeBackup } from '#shop/operations/backup/take-backup.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { handleWebhook } from '#shop/payments/webhooks/handle-webhook.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { anotherProcess, capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const environment = systemEnvironment(systemLog('silent'))
const skipNumbers = 1000

let shop: TestShop
let folder: string
let database: TestDatabase
let restored: RunningShop
/** In the backup, waiting for its money, which came afterwards. */
let waiting: { orderId: number; walletOrderId: string }
/** Placed and paid after the backup. */
let unknown: { orderId: number; walletOrderId: string }
/** What the tests ask of a shop, of the restored one. */
let world: TestShop

beforeAll(async () => {
  shop = await aShop()
  await shop.emulate('/webhooks/hold', { on: true })
  folder = await mkdtemp(join(tmpdir(), 'vitrine-restored-'))
  const [early, late] = [new Shopper(shop, 'early'), new Shopper(shop, 'late')]
  waiting = await early.startToPay()
  const file = join(folder, 'shop.tar.zst')
  await takeBackup({ ...environment, db: shop.db }, { file, dataDir: shop.dataDir, program: '1.2.3' })
  await early.approve(waiting.walletOrderId)
  expect(await early.returnFromWallet(waiting.walletOrderId)).toContain('/order-received/')
  unknown = await late.startToPay()
  await late.approve(unknown.walletOrderId)
  expect(await late.returnFromWallet(unknown.walletOrderId)).toContain('/order-received/')

  database = await aDatabase()
  const db = connect(database.url, { max: 2 })
  await restoreBackup({ ...environment, db }, { file, databaseUrl: database.url, dataDir: folder, skipNumbers })
  restored = await anotherProcess({ databaseUrl: database.url, dataDir: folder, paypal: shop.paypal })
  world = { ...shop, db, databaseUrl: database.url, dataDir: folder, url: restored.url }
}, 180_000)
afterAll(async () => {
  await restored?.stop()
  await world?.db.close()
  await database?.close()
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a shop that goes on from a backup of some minutes ago', () => {
  it('F36 P11: money that has come since for an order that it holds is found, and not taken again', async () => {
    const [before] = await capturesFor(shop, waiting.orderId)
    expect((await orderOf(world, waiting.orderId)).payment_state).not.toBe('paid')
    await world.db.sql`update orders set created_at = created_at - interval '10 minutes',
      updated_at = updated_at - interval '10 minutes' where id = ${waiting.orderId}`
    await world.db.sql`update wallet_orders set created_at = created_at - interval '10 minutes'`
    const order = await until('the shop has looked at the provider', async () => {
      await maintain(restored.application.tools)
      const row = await orderOf(world, waiting.orderId)
      return row.payment_state === 'paid' && row
    })
    expect(order.transaction_id).toBe(before?.id)
    expect(await capturesFor(shop, waiting.orderId)).toEqual([before])
  })

  it('F36 P11: money of an order that it does not hold is shown to a person, and to nobody as theirs', async () => {
    const [capture] = await capturesFor(shop, unknown.orderId)
    const raw = {
      id: 'WH-of-before',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource: {
        id: capture?.id,
        custom_id: String(unknown.orderId),
        supplementary_data: { related_ids: { order_id: unknown.walletOrderId } },
      },
    }
    await world.db.sql`insert into webhook_events (id, type, body, received_at)
      values (${raw.id}, ${raw.event_type}, ${JSON.stringify(raw)}, now() - interval '3 days 1 minute')`
    const { tools } = restored.application
    const receivedAt = new Date(Date.now() - (3 * 24 * 60 + 1) * 60_000)
    const subject = eventSubject(webhookEvent.parse(raw))
    await handleWebhook(tools, { id: raw.id, type: raw.event_type, subject, receivedAt })
    const [event] = await world.db.sql<{ outcome: string }[]>`select outcome from webhook_events where id = ${raw.id}`
    expect(event?.outcome).toBe('attention: no such order')
    const own = connect(database.url, { max: 2 })
    const { err } = await runCommand(doctorCommand, own)
    await own.close()
    expect(err).toContain('PAYMENT.CAPTURE.COMPLETED  WH-of-before')
  })

  it('F36 I8: no number is given again that a customer or the provider knows', async () => {
    const shopper = new Shopper(world, 'afterwards')
    const { orderId, walletOrderId } = await shopper.startToPay()
    expect(orderId).toBeGreaterThanOrEqual(waiting.orderId + skipNumbers)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(world)).toEqual([])
  })
})
