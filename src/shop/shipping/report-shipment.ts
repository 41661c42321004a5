import type { TrackingBody } from '#contract/paypal/tracking.ts'
import { transaction } from '#database/engine/connect.ts'
import {
  addOrderNote,
  findOrder,
  findOrderItems,
  findOrderNotes,
  lockOrder,
  type OrderItemRow,
} from '#database/orders/orders.ts'
import { type CaptureRow, findCaptures } from '#database/payments/payments.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue, type Jobs } from '../shared/jobs.ts'
import type { Tools } from '../shared/tools.ts'

const longestText = 64
const longestName = 127
const carrierCode = /^[0-9A-Z_]{1,64}$/

export type Shipment = {
  trackingNumber: string
  /** One of the provider's codes, as `DHL`, or the carrier's name. */
  carrier: string
  /** Pieces of order items by their number; none: the parcel holds the whole order. */
  items: readonly { itemId: number; quantity: number }[]
  /** PayPal writes to the payer. */
  notifyPayer: boolean
}

export type ShipmentResult = { ok: true } | { ok: false; reason: ShipmentRefusal }

export type ShipmentRefusal =
  | 'not-found'
  /** No money of it came by this provider, or all of it was given back. */
  | 'not-captured'
  | 'number-invalid'
  | 'carrier-invalid'
  /** An item that is none of the order's, or more pieces than were ordered. */
  | 'items-invalid'

/** Has the shop report a parcel of an order to the payment provider. A repeat for the same number is the same report. */
export async function reportShipment(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'paymentEnvironment'>,
  orderId: number,
  shipment: Shipment,
): Promise<ShipmentResult> {
  const trackingNumber = shipment.trackingNumber.trim()
  const carrier = shipment.carrier.trim()
  if (trackingNumber === '' || trackingNumber.length > longestText) return { ok: false, reason: 'number-invalid' }
  if (carrier === '' || carrier.length > longestText) return { ok: false, reason: 'carrier-invalid' }
  return transaction(tools, async (tx) => {
    if (!(await lockOrder(tx, orderId))) return { ok: false, reason: 'not-found' }
    if (!captureOf(tools, await findCaptures(tx, orderId))) return { ok: false, reason: 'not-captured' }
    const ordered = await findOrderItems(tx, orderId)
    const fits = shipment.items.every(({ itemId, quantity }) => {
      const item = lineItem(ordered, itemId)
      return item !== undefined && Number.isInteger(quantity) && quantity > 0 && quantity <= item.quantity
    })
    if (!fits) return { ok: false, reason: 'items-invalid' }
    const { notifyPayer } = shipment
    const items = shipment.items.map(({ itemId, quantity }) => ({ itemId, quantity }))
    const key = `report-shipment-${shipmentKey(orderId, trackingNumber)}`
    await enqueue(tx, 'report-shipment', { orderId, trackingNumber, carrier, items, notifyPayer }, { key })
    return { ok: true }
  })
}

/**
 * Reports a parcel, once, however often it is asked. @throws when it is to be tried again; what the provider refuses for good is
 * noted with the order
 */
export async function sendShipment(tools: Tools, facts: Jobs['report-shipment']): Promise<void> {
  const { orderId, trackingNumber, carrier } = facts
  const { kysely } = tools.db
  const capture = captureOf(tools, await findCaptures(kysely, orderId))
  if (!(await findOrder(kysely, orderId)) || !capture) return
  if (!tools.paypal) throw new Error(`the shipment of order ${orderId} is not reported: no provider is set up`)
  const key = shipmentKey(orderId, trackingNumber)
  let refusal = ''
  // What the provider does not know is left out or spelled out: a parcel without its items is better than none.
  for (const [variant, body] of bodiesFor(capture, facts, await findOrderItems(kysely, orderId)).entries()) {
    const sent = await tools.paypal.trackOrder(capture.wallet_order_id, body, {
      requestId: `v-track-${key}-${variant}`,
    })
    if (sent.ok) return note(tools, orderId, `Shipment ${trackingNumber} (${carrier}) was reported to PayPal.`)
    if (sent.kind !== 'refused' || sent.status === 429 || sent.status === 401) {
      throw new Error(`the shipment of order ${orderId} is not reported: ${sent.kind}`)
    }
    refusal = sent.issue
    if (sent.status !== 400 && sent.issue !== 'ITEM_SKU_MISMATCH') break
  }
  tools.log.warn({ orderId, issue: refusal }, 'a shipment was not reported')
  await note(tools, orderId, `PayPal did not accept shipment ${trackingNumber} (${carrier}): ${refusal}.`)
}

/** As asked for; with the carrier by name; without the items. */
function bodiesFor(
  capture: CaptureRow,
  facts: Jobs['report-shipment'],
  ordered: readonly OrderItemRow[],
): TrackingBody[] {
  const { trackingNumber, carrier, notifyPayer } = facts
  const items = facts.items.flatMap(({ itemId, quantity }) => {
    const item = lineItem(ordered, itemId)
    if (!item) return []
    const sku = item.sku === '' ? {} : { sku: item.sku.slice(0, longestName) }
    return [{ name: item.name.slice(0, longestName), quantity: String(quantity), ...sku }]
  })
  const parcel = { capture_id: capture.id, tracking_number: trackingNumber, notify_payer: notifyPayer }
  const named = { ...parcel, carrier: 'OTHER', carrier_name_other: carrier }
  const coded = carrierCode.test(carrier) ? [{ ...parcel, carrier }] : []
  return [...coded, named].flatMap((body) => (items.length > 0 ? [{ ...body, items }, body] : [body]))
}

/** The capture that the order counts on. */
function captureOf(
  { paymentEnvironment }: Pick<Tools, 'paymentEnvironment'>,
  captures: readonly CaptureRow[],
): CaptureRow | undefined {
  return captures.find(
    ({ stray, status, environment }) =>
      !stray && environment === paymentEnvironment && (status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED'),
  )
}

function lineItem(ordered: readonly OrderItemRow[], itemId: number): OrderItemRow | undefined {
  return ordered.find(({ id, type }) => id === itemId && type === 'line_item')
}

const shipmentKey = (orderId: number, trackingNumber: string) => sha256(`${orderId}|${trackingNumber}`).slice(0, 40)

/** Notes what came of a report; the repeat of one that was noted adds nothing. */
async function note(tools: Tools, orderId: number, text: string): Promise<void> {
  await transaction(tools, async (tx) => {
    await lockOrder(tx, orderId)
    const before = await findOrderNotes(tx, orderId)
    if (before.some((known) => known.note === text)) return
    await addOrderNote(tx, orderId, text, tools.clock.now())
  })
}
