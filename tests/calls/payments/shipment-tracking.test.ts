import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersCommand } from '#cli/orders/orders.ts'
import { reportShipment } from '#shop/shipping/report-shipment.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, emulatorSettings, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())

const tools = () => shop.shop.application.tools
let people = 0

async function paidOrder(): Promise<{ orderId: number; walletOrderId: string; itemId: number }> {
  people += 1
  const shopper = new Shopper(shop, `sent${people}`)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG', 2)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const [item] = await shop.db.sql`select id from order_items where order_id = ${orderId} and type = 'line_item'`
  return { orderId, walletOrderId, itemId: Number(item?.id) }
}

type Tracker = { id: string; status: string; items?: { sku?: string; quantity?: string }[] }

/** The parcels as the provider shows them with the order. */
async function trackers(walletOrderId: string): Promise<Tracker[]> {
  const base = shop.emulator?.url ?? ''
  const { clientId, clientSecret } = emulatorSettings(base)
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await granted.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const shown = await fetch(`${base}/v2/checkout/orders/${walletOrderId}`, { headers })
  const { purchase_units: units } = (await shown.json()) as {
    purchase_units: { shipping?: { trackers?: Tracker[] } }[]
  }
  return units[0]?.shipping?.trackers ?? []
}

const notes = async (orderId: number) =>
  (await shop.db.sql`select note from order_notes where order_id = ${orderId} order by id`).map(({ note }) => note)

const parcel = { trackingNumber: '443844607820', carrier: 'FEDEX', items: [], notifyPayer: false }

/** The queue takes a job up within seconds, and one that failed some seconds later. */
const inTime = { timeout: 30_000 }

describe('a parcel of an order that was paid by the wallet', () => {
  it('is reported to the provider, once, and noted with the order', async () => {
    const { orderId, walletOrderId, itemId } = await paidOrder()
    const shipment = { ...parcel, items: [{ itemId, quantity: 1 }] }
    expect(await reportShipment(tools(), orderId, shipment)).toEqual({ ok: true })
    await expect.poll(() => notes(orderId), inTime).toContain('Shipment 443844607820 (FEDEX) was reported to PayPal.')
    expect(await trackers(walletOrderId)).toMatchObject([
      { id: expect.stringMatching(/-443844607820$/), status: 'SHIPPED', items: [{ sku: 'MUG', quantity: '1' }] },
    ])
    await reportShipment(tools(), orderId, shipment)
    await reportShipment(tools(), orderId, { ...parcel, trackingNumber: '2', carrier: 'Reitende Boten' })
    await expect.poll(() => notes(orderId), inTime).toContain('Shipment 2 (Reitende Boten) was reported to PayPal.')
    expect(await trackers(walletOrderId)).toHaveLength(2)
    expect((await notes(orderId)).filter((note) => note.includes('443844607820'))).toHaveLength(1)
  })

  it('F6 is reported when the provider is back', async () => {
    const { orderId, walletOrderId } = await paidOrder()
    await shop.emulate('/fault', { route: 'orders.track', status: 503, times: 4 })
    await reportShipment(tools(), orderId, parcel)
    await expect
      .poll(() => notes(orderId), { timeout: 30_000 })
      .toContain('Shipment 443844607820 (FEDEX) was reported to PayPal.')
    expect(await trackers(walletOrderId)).toHaveLength(1)
  })

  it('that the provider refuses is noted with the reason, and not tried for ever', async () => {
    const { orderId, walletOrderId } = await paidOrder()
    await shop.emulate('/fault', { route: 'orders.track', issue: 'CAPTURE_STATUS_NOT_VALID', times: 9 })
    await reportShipment(tools(), orderId, parcel)
    await expect
      .poll(() => notes(orderId))
      .toContain('PayPal did not accept shipment 443844607820 (FEDEX): CAPTURE_STATUS_NOT_VALID.')
    await shop.emulate('/faults/clear', {})
    expect(await trackers(walletOrderId)).toEqual([])
  })

  it('is refused before anybody is asked where it cannot be one of the order', async () => {
    const { orderId, itemId } = await paidOrder()
    const other = await paidOrder()
    const refused = async (change: Partial<Parameters<typeof reportShipment>[2]>, id = orderId) =>
      reportShipment(tools(), id, { ...parcel, ...change })
    expect(await refused({ trackingNumber: ' ' })).toEqual({ ok: false, reason: 'number-invalid' })
    expect(await refused({ trackingNumber: 'x'.repeat(65) })).toEqual({ ok: false, reason: 'number-invalid' })
    expect(await refused({ carrier: '' })).toEqual({ ok: false, reason: 'carrier-invalid' })
    for (const items of [[{ itemId, quantity: 3 }], [{ itemId, quantity: 0 }], [{ itemId: other.itemId, quantity: 1 }]])
      expect(await refused({ items })).toEqual({ ok: false, reason: 'items-invalid' })
    expect(await refused({}, 999_999)).toEqual({ ok: false, reason: 'not-found' })
    const shopper = new Shopper(shop, 'by-cash')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const { order_id: unpaid = 0 } = await shopper.placeOrder('cod')
    expect(await refused({}, unpaid)).toEqual({ ok: false, reason: 'not-captured' })
  })

  it('is reported by command, with what it holds', async () => {
    const { orderId, walletOrderId } = await paidOrder()
    const run = (...args: string[]) =>
      runCommandWith({ ...tools() }, ordersCommand, shop.db, 'shipment', String(orderId), ...args)
    expect(await run('--tracking', '77', '--carrier', 'UPS', '--lines', 'BOWL:1')).toMatchObject({
      code: 2,
      err: `Error: order ${orderId} has no line "BOWL". Choose one of: MUG`,
    })
    expect(await run('--carrier', 'UPS')).toMatchObject({ code: 1, err: expect.stringContaining('--tracking') })
    expect(await run('--tracking', '77', '--carrier', 'UPS', '--lines', 'MUG:2')).toMatchObject({
      code: 0,
      err: `Order ${orderId}: the running shop reports shipment 77 to PayPal.`,
    })
    await expect.poll(() => trackers(walletOrderId), inTime).toMatchObject([{ items: [{ sku: 'MUG', quantity: '2' }] }])
  })
})
