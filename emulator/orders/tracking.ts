import { Refusal, refuse } from '../rest/error-bodies.ts'
import { issuesOf, trackedItems } from '../rest/schemas.ts'
import type { World } from '../world/world.ts'
import type { Order, TrackedItem, Tracker } from './order.ts'
import type { PatchOperation } from './patch-order.ts'

export type TrackingRequest = {
  capture_id: string
  tracking_number?: string
  notify_payer?: boolean
  items?: TrackedItem[]
}

/** Adds a parcel to a captured order. @returns false when it was reported before, which changes nothing */
export function addTracker(world: World, order: Order, request: TrackingRequest): boolean {
  const { capture_id: captureId, tracking_number: number = '', notify_payer: notifyPayer = false, items } = request
  if (order.units.length > 1) throw refuse(422, 'MSP_NOT_SUPPORTED')
  const capture = order.captureIds.includes(captureId) ? world.captures.get(captureId) : undefined
  const field = { field: '/capture_id', value: captureId, location: 'body' } as const
  if (!capture) throw refuse(422, 'CAPTURE_ID_NOT_FOUND', field)
  if (capture.status !== 'COMPLETED') throw refuse(422, 'CAPTURE_STATUS_NOT_VALID', field)
  if (items) requireOwnItems(order, items)
  const id = `${captureId}-${number === '' ? 'NOTRACKER' : number}`
  if (order.trackers.some((known) => known.id === id)) return false
  const nowMs = world.clock.now().getTime()
  const tracker: Tracker = { id, captureId, status: 'SHIPPED', notifyPayer, createdMs: nowMs, updatedMs: nowMs }
  order.trackers.push(items ? { ...tracker, items } : tracker)
  order.updatedMs = nowMs
  return true
}

/** Carries out all operations on a tracker or none. */
export function patchTracker(world: World, order: Order, id: string, operations: readonly PatchOperation[]): void {
  const at = order.trackers.findIndex((tracker) => tracker.id === id)
  const before = order.trackers[at]
  if (!before) throw refuse(404, 'TRACKER_ID_NOT_FOUND', { field: 'tracker_id', value: id, location: 'path' })
  let next = { ...before, updatedMs: world.clock.now().getTime() }
  for (const [index, operation] of operations.entries()) next = changed(order, next, operation, index)
  order.trackers[at] = next
}

function changed(order: Order, tracker: Tracker, { op, path, value }: PatchOperation, index: number): Tracker {
  if (path === undefined) throw refuse(422, 'PATCH_PATH_REQUIRED', { field: `/${index}/path`, location: 'body' })
  const about = { field: `/${index}/path`, value: path, location: 'body' } as const
  if (!path.startsWith('/')) throw refuse(422, 'INVALID_JSON_POINTER_FORMAT', about)
  const allowed: Record<string, readonly string[]> = {
    '/items': ['replace'],
    '/notify_payer': ['replace', 'add'],
    '/status': ['replace'],
  }
  const operations = Object.hasOwn(allowed, path) ? allowed[path] : undefined
  if (!operations) throw refuse(422, 'NOT_PATCHABLE', about)
  if (!operations.includes(op))
    throw refuse(400, 'INVALID_PATCH_OPERATION', { ...about, field: `/${index}/op`, value: op })
  const ofValue = { field: `/${index}/value`, location: 'body' } as const
  if (value === undefined) throw refuse(422, 'PATCH_VALUE_REQUIRED', ofValue)
  if (path === '/items') {
    if (!trackedItems(value)) throw new Refusal(400, issuesOf(trackedItems.errors ?? []))
    // The schema says: items of a parcel.
    const items = value as TrackedItem[]
    requireOwnItems(order, items)
    return { ...tracker, items }
  }
  if (path === '/notify_payer') {
    if (typeof value !== 'boolean') throw refuse(400, 'INVALID_PARAMETER_VALUE', ofValue)
    return { ...tracker, notifyPayer: value }
  }
  if (value !== 'CANCELLED') throw refuse(400, 'INVALID_PARAMETER_VALUE', { ...ofValue, value: String(value) })
  return { ...tracker, status: value }
}

function requireOwnItems(order: Order, items: readonly TrackedItem[]): void {
  const own = new Set(order.units.flatMap((unit) => unit.items?.map(({ sku }) => sku) ?? []))
  for (const [index, { sku }] of items.entries()) {
    if (sku === undefined || own.has(sku)) continue
    throw refuse(422, 'ITEM_SKU_MISMATCH', { field: `/items/${index}/sku`, value: sku, location: 'body' })
  }
}
