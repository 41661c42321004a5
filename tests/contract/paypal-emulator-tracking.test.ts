import { describe, expect, it } from 'vitest'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider, issueOf } from './fixtures/provider-setup.ts'
import { requestFaults } from './paypal-openapi.ts'

const ORDERS = '/v2/checkout/orders'

const { provider, call } = aProvider({ seed: 'tracking' })

type Tracker = { id: string; status: string; items?: unknown[]; links: { rel: string }[] }
type Shown = {
  purchase_units: { shipping?: { trackers?: Tracker[] }; payments?: { captures?: { id: string }[] } }[]
}
const trackersOf = ({ body }: { body: unknown }) => (body as Shown).purchase_units[0]?.shipping?.trackers ?? []

async function paid(): Promise<{ id: string; capture: string }> {
  const { body } = await call('POST', ORDERS, anOrder())
  const id = String(body.id)
  await provider.control(`/orders/${id}/approve`)
  const done = await call('POST', `${ORDERS}/${id}/capture`, {})
  return { id, capture: (done.body as unknown as Shown).purchase_units[0]?.payments?.captures?.[0]?.id ?? '' }
}

const parcel = (capture_id: string, more: object = {}) => ({
  capture_id,
  tracking_number: '443844607820',
  carrier: 'FEDEX',
  ...more,
})

describe('tracking of a shipment', () => {
  it('is added to a capture, once, and shown with the order', async () => {
    const { id, capture } = await paid()
    const body = parcel(capture, { notify_payer: true, items: [{ name: 'Hat', sku: 'H1', quantity: '1' }] })
    expect(requestFaults('POST', `${ORDERS}/${id}/track`, body)).toEqual([])
    const added = await call('POST', `${ORDERS}/${id}/track`, body)
    expect(added.status).toBe(201)
    expect(trackersOf(added)).toMatchObject([
      { id: `${capture}-443844607820`, status: 'SHIPPED', items: [{ name: 'Hat', sku: 'H1', quantity: '1' }] },
    ])
    // The same parcel reported again is the same tracker.
    const again = await call('POST', `${ORDERS}/${id}/track`, body)
    expect([again.status, trackersOf(again).length]).toEqual([200, 1])
    const second = await call(
      'POST',
      `${ORDERS}/${id}/track`,
      parcel(capture, { tracking_number: '2', carrier: 'UPS' }),
    )
    expect([second.status, trackersOf(second).length]).toEqual([201, 2])
    const named = parcel(capture, { tracking_number: '3', carrier: 'OTHER', carrier_name_other: 'Reitende Boten' })
    expect((await call('POST', `${ORDERS}/${id}/track`, named)).status).toBe(201)
    expect(trackersOf(await call('GET', `${ORDERS}/${id}`))).toHaveLength(3)
  })

  it('is changed and cancelled by its id', async () => {
    const { id, capture } = await paid()
    const [tracker] = trackersOf(await call('POST', `${ORDERS}/${id}/track`, parcel(capture)))
    const path = `${ORDERS}/${id}/trackers/${tracker?.id}`
    const items = [{ name: 'Hat', sku: 'H1', quantity: '2' }]
    expect((await call('PATCH', path, [{ op: 'replace', path: '/items', value: items }])).status).toBe(204)
    expect((await call('PATCH', path, [{ op: 'add', path: '/notify_payer', value: true }])).status).toBe(204)
    expect((await call('PATCH', path, [{ op: 'replace', path: '/status', value: 'CANCELLED' }])).status).toBe(204)
    expect(trackersOf(await call('GET', `${ORDERS}/${id}`))).toMatchObject([{ status: 'CANCELLED', items }])
  })

  it.each([
    ['another status', [{ op: 'replace', path: '/status', value: 'DELIVERED' }], 400, 'INVALID_PARAMETER_VALUE'],
    ['the number', [{ op: 'replace', path: '/tracking_number', value: '1' }], 422, 'NOT_PATCHABLE'],
    ['no pointer', [{ op: 'replace', path: 'items', value: [] }], 422, 'INVALID_JSON_POINTER_FORMAT'],
    ['no value', [{ op: 'replace', path: '/items' }], 422, 'PATCH_VALUE_REQUIRED'],
    ['no path', [{ op: 'replace', value: [] }], 422, 'PATCH_PATH_REQUIRED'],
    [
      'foreign items',
      [{ op: 'replace', path: '/items', value: [{ name: 'Shoe', sku: 'S9', quantity: '1' }] }],
      422,
      'ITEM_SKU_MISMATCH',
    ],
  ])('refuses a change of %s, and changes nothing', async (_what, patch, status, issue) => {
    const { id, capture } = await paid()
    const [tracker] = trackersOf(await call('POST', `${ORDERS}/${id}/track`, parcel(capture)))
    const answer = await call('PATCH', `${ORDERS}/${id}/trackers/${tracker?.id}`, patch)
    expect([answer.status, issueOf(answer)]).toEqual([status, issue])
    expect(trackersOf(await call('GET', `${ORDERS}/${id}`))).toEqual([tracker])
  })

  it('refuses what belongs to no capture of the order', async () => {
    const { id, capture } = await paid()
    const other = await paid()
    const track = (body: object) => call('POST', `${ORDERS}/${id}/track`, body)
    expect(issueOf(await track(parcel(other.capture)))).toBe('CAPTURE_ID_NOT_FOUND')
    expect(issueOf(await track(parcel(capture, { items: [{ sku: 'S9', quantity: '1' }] })))).toBe('ITEM_SKU_MISMATCH')
    expect((await track({ tracking_number: '1', carrier: 'FEDEX' })).status).toBe(400)
    expect((await track(parcel(capture, { carrier: 'A PIGEON' }))).status).toBe(400)
    const refund = await provider.call('POST', `/v2/payments/captures/${capture}/refund`)
    expect(refund.status).toBe(201)
    expect(issueOf(await track(parcel(capture)))).toBe('CAPTURE_STATUS_NOT_VALID')
    expect((await call('POST', `${ORDERS}/NOSUCHORDER/track`, parcel(capture))).status).toBe(404)
    expect(issueOf(await call('PATCH', `${ORDERS}/${id}/trackers/none`, []))).toBe('TRACKER_ID_NOT_FOUND')
  })
})
