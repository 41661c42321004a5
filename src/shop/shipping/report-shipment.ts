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

const maxTextLength = 64
const maxNameLength = 127
const carrierCode = /^[0-9A-Z_]{1,64}$/

export type Shipment = {
  trackingNumber: string
  /** PayPal's carrier code, like `DHL`, or the carrier's name. */
  carrier: string
  /** Quantities by order item id; empty: the package contains the whole order. */
  items: readonly { itemId: number; quantity: number }[]
  /** PayPal emails the payer. */
  notifyPayer: boolean
}

export type ShipmentResult = { ok: true } | { ok: false; reason: ShipmentRefusal }

export type ShipmentRefusal =
  | 'not-found'
  /** The order has no capture of this provider, or it is fully refunded. */
  | 'not-captured'
  | 'number-invalid'
  | 'carrier-invalid'
  /** An item of another order, or a quantity above the ordered one. */
  | 'items-invalid'

/** Enqueues the report of a shipment to PayPal. A repeat with the same tracking number is the same report. */
export async function reportShipment(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'paymentEnvironment'>,
  orderId: number,
  shipment: Shipment,
): Promise<ShipmentResult> {
  const trackingNumber = shipment.trackingNumber.trim()
  const carrier = shipment.carrier.trim()
  if (trackingNumber === '' || trackingNumber.length > maxTextLength) return { ok: false, reason: 'number-invalid' }
  if (carrier === '' || carrier.length > maxTextLength) return { ok: false, reason: 'carrier-invalid' }
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
 * Reports a shipment, once, also on repeats.
 * @throws when the job must be retried; a final refusal of PayPal becomes an order note
 */
export async function sendShipment(tools: Tools, facts: Jobs['report-shipment']): Promise<void> {
  const { orderId, trackingNumber, carrier } = facts
  const { kysely } = tools.db
  const capture = captureOf(tools, await findCaptures(kysely, orderId))
  if (!(await findOrder(kysely, orderId)) || !capture) return
  if (!tools.paypal) throw new Error(`the shipment of order ${orderId} is not reported: PayPal is not configured`)
  const key = shipmentKey(orderId, trackingNumber)
  let refusal = ''
  // Values unknown to PayPal are spelled out or left out: a shipment without its items is better than none.
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
  tools.log.warn({ orderId, issue: refusal }, 'shipment not reported')
  await note(tools, orderId, `PayPal did not accept shipment ${trackingNumber} (${carrier}): ${refusal}.`)
}

/** Returns the variants to try: as requested; with the carrier by name; without the items. */
function bodiesFor(
  capture: CaptureRow,
  facts: Jobs['report-shipment'],
  ordered: readonly OrderItemRow[],
): TrackingBody[] {
  const { trackingNumber, carrier, notifyPayer } = facts
  const items = facts.items.flatMap(({ itemId, quantity }) => {
    const item = lineItem(ordered, itemId)
    if (!item) return []
    const sku = item.sku === '' ? {} : { sku: item.sku.slice(0, maxNameLength) }
    return [{ name: item.name.slice(0, maxNameLength), quantity: String(quantity), ...sku }]
  })
  const parcel = { capture_id: capture.id, tracking_number: trackingNumber, notify_payer: notifyPayer }
  const named = { ...parcel, carrier: 'OTHER', carrier_name_other: carrier }
  const coded = carrierCode.test(carrier) ? [{ ...parcel, carrier }] : []
  return [...coded, named].flatMap((body) => (items.length > 0 ? [{ ...body, items }, body] : [body]))
}

/** Finds the capture of the order. */
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

/** Adds an order note about a report, once per text. */
async function note(tools: Tools, orderId: number, text: string): Promise<void> {
  await transaction(tools, async (tx) => {
    await lockOrder(tx, orderId)
    const before = await findOrderNotes(tx, orderId)
    if (before.some((known) => known.note === text)) return
    await addOrderNote(tx, orderId, text, tools.clock.now())
  })
}
