import { Refusal, refuse } from '../rest/error-bodies.ts'
import { issuesOf, validator } from '../rest/schemas.ts'
import type { Order, PurchaseUnit } from './order.ts'
import { readUnits, type UnitRequest } from './order-request.ts'

export type PatchOperation = { op: string; path?: string; value?: unknown }

const UNIT = /^\/purchase_units\/@reference_id=='([^']*)'(\/.+)?$/

/** What may be changed inside a unit, with the operations allowed. */
const FIELDS: Record<string, readonly string[]> = {
  '/amount': ['replace'],
  '/items': ['add', 'replace', 'remove'],
  '/custom_id': ['add', 'replace', 'remove'],
  '/description': ['add', 'replace', 'remove'],
  '/invoice_id': ['add', 'replace', 'remove'],
  '/soft_descriptor': ['replace', 'remove'],
  '/shipping/name': ['add', 'replace'],
  '/shipping/address': ['add', 'replace'],
  '/shipping/type': ['add', 'replace'],
  '/shipping/options': ['add', 'replace'],
  '/payee/email': ['replace'],
  '/payment_instruction': ['replace'],
}

const checkUnit = validator('checkout_orders_v2', 'purchase_unit_request')

/** Carries out all operations or none; what they give must keep every rule of a new order. */
export function patchOrder(order: Order, operations: readonly PatchOperation[]): void {
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') throw refuse(422, 'ORDER_ALREADY_COMPLETED')
  const units: UnitRequest[] = structuredClone(order.units)
  let intent = order.intent
  for (const [index, operation] of operations.entries()) {
    const path = checkedPath(operation, index)
    if (path === '/intent') {
      if (operation.value !== 'CAPTURE' && operation.value !== 'AUTHORIZE') throw refuse(422, 'UNSUPPORTED_INTENT')
      intent = operation.value
      continue
    }
    if (path === '/payer') continue
    const match = UNIT.exec(path)
    if (!match) {
      const issue = path.startsWith('/') ? 'NOT_PATCHABLE' : 'INVALID_JSON_POINTER_FORMAT'
      throw refuse(422, issue, { field: `/${index}/path`, value: path, location: 'body' })
    }
    const [, referenceId, field] = match
    const at = units.findIndex((unit) => unit.reference_id === referenceId)
    if (field === undefined) changeWholeUnit(units, at, operation, index)
    else changeField(units[at], field, operation, index)
  }
  for (const unit of units) {
    const fits: boolean = checkUnit(unit)
    if (fits) continue
    throw new Refusal(
      400,
      issuesOf(checkUnit.errors ?? []).map((issue) => ({
        ...issue,
        field: `/purchase_units/@reference_id=='${unit.reference_id}'${issue.field ?? ''}`,
      })),
    )
  }
  const checked = readUnits(units, order.experience.shippingPreference)
  order.units = checked
  order.intent = intent
}

function checkedPath(operation: PatchOperation, index: number): string {
  if (!['add', 'replace', 'remove'].includes(operation.op)) {
    throw refuse(400, 'INVALID_PATCH_OPERATION', { field: `/${index}/op`, value: operation.op, location: 'body' })
  }
  if (!operation.path) throw refuse(422, 'PATCH_PATH_REQUIRED', { field: `/${index}/path`, location: 'body' })
  if (operation.op !== 'remove' && operation.value === undefined) {
    throw refuse(422, 'PATCH_VALUE_REQUIRED', { field: `/${index}/value`, location: 'body' })
  }
  return operation.path
}

function changeWholeUnit(units: UnitRequest[], at: number, operation: PatchOperation, index: number): void {
  const value = operation.value
  if (operation.op === 'remove' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(422, 'UNSUPPORTED_PATCH_PARAMETER_VALUE', { field: `/${index}/value`, location: 'body' })
  }
  // The schema of a unit is checked once all operations are done.
  const unit = value as UnitRequest
  if (at < 0) {
    if (operation.op === 'replace')
      throw refuse(422, 'REFERENCE_ID_NOT_FOUND', { field: `/${index}/path`, location: 'body' })
    units.push(unit)
  } else {
    units[at] = { ...unit, reference_id: unit.reference_id ?? units[at]?.reference_id ?? 'default' }
  }
}

function changeField(unit: UnitRequest | undefined, field: string, operation: PatchOperation, index: number): void {
  if (!unit) throw refuse(422, 'REFERENCE_ID_NOT_FOUND', { field: `/${index}/path`, location: 'body' })
  const allowed = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  if (!allowed) {
    const issue = field.startsWith('/amount') ? 'AMOUNT_NOT_PATCHABLE' : 'FIELD_NOT_PATCHABLE'
    throw refuse(400, issue, { field: `/${index}/path`, value: operation.path ?? '', location: 'body' })
  }
  if (!allowed.includes(operation.op)) {
    throw refuse(400, 'INVALID_PATCH_OPERATION', { field: `/${index}/op`, value: operation.op, location: 'body' })
  }
  const [outer = '', inner] = field.slice(1).split('/')
  // Only fields of the table above get here; their values are checked against the schema afterwards.
  const target = unit as unknown as Record<string, unknown>
  if (inner === undefined) setOrDelete(target, outer, operation)
  else {
    const holder = { ...(target[outer] as PurchaseUnit['shipping'] | undefined) }
    setOrDelete(holder as Record<string, unknown>, inner, operation)
    target[outer] = holder
  }
}

function setOrDelete(target: Record<string, unknown>, key: string, operation: PatchOperation): void {
  if (operation.op === 'remove') delete target[key]
  else target[key] = operation.value
}
