import { type Issue, Refusal, refuse } from '../rest/error-bodies.ts'
import { normalised } from './amounts.ts'
import type { Breakdown, Experience, Intent, PaymentSource, PurchaseUnit } from './order.ts'
import { unitIssues } from './unit-rules.ts'

/** A unit as it is sent: without a reference id when there is only one. */
export type UnitRequest = Omit<PurchaseUnit, 'reference_id'> & { reference_id?: string }

type ExperienceContext = {
  brand_name?: string
  locale?: string
  shipping_preference?: Experience['shippingPreference']
  user_action?: Experience['userAction']
  payment_method_preference?: string
  return_url?: string
  cancel_url?: string
}

export type SourceRequest = Record<string, { experience_context?: ExperienceContext } | undefined>

/** The parts of the order schema that this emulator acts on. */
export type OrderRequest = {
  intent: Intent
  purchase_units: UnitRequest[]
  payment_source?: SourceRequest
  application_context?: ExperienceContext
}

/** Sources of payment by their name in `payment_source`. A source that is not here is refused. */
const SOURCES: Record<string, () => PaymentSource> = {
  paypal: () => ({ kind: 'paypal' }),
}

export function readSource(source: SourceRequest | undefined): PaymentSource {
  const names = Object.keys(source ?? {})
  const first = names[0]
  if (first === undefined) return { kind: 'none' }
  if (names.length > 1) {
    throw refuse(422, 'ONLY_ONE_PAYMENT_SOURCE_ALLOWED', { field: '/payment_source', location: 'body' })
  }
  const read = Object.hasOwn(SOURCES, first) ? SOURCES[first] : undefined
  if (read) return read()
  const issue = first === 'card' ? 'NOT_ENABLED_FOR_CARD_PROCESSING' : 'PAYMENT_SOURCE_CANNOT_BE_USED'
  throw refuse(422, issue, { field: `/payment_source/${first}`, location: 'body' })
}

export function readExperience(request: Pick<OrderRequest, 'payment_source' | 'application_context'>): Experience {
  const current = request.payment_source?.paypal?.experience_context ?? {}
  const old = request.application_context ?? {}
  const twice = Object.keys(current).find((key) => Object.hasOwn(old, key))
  if (twice !== undefined) {
    throw refuse(422, 'INCOMPATIBLE_PARAMETER_VALUE', { field: `/application_context/${twice}`, location: 'body' })
  }
  const given = { ...old, ...current }
  for (const key of ['return_url', 'cancel_url'] as const) {
    const url = given[key]
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      const field = `/payment_source/paypal/experience_context/${key}`
      throw refuse(400, 'INVALID_PARAMETER_SYNTAX', { field, value: url, location: 'body' })
    }
  }
  return {
    shippingPreference: given.shipping_preference ?? 'GET_FROM_FILE',
    userAction: given.user_action ?? 'CONTINUE',
    immediatePaymentRequired: given.payment_method_preference === 'IMMEDIATE_PAYMENT_REQUIRED',
    ...(given.brand_name === undefined ? {} : { brandName: given.brand_name }),
    ...(given.locale === undefined ? {} : { locale: given.locale }),
    ...(given.return_url === undefined ? {} : { returnUrl: given.return_url }),
    ...(given.cancel_url === undefined ? {} : { cancelUrl: given.cancel_url }),
  }
}

/** The units with reference ids and amounts in their usual form; refuses what breaks a rule. */
export function readUnits(
  requested: readonly UnitRequest[],
  preference: Experience['shippingPreference'],
): PurchaseUnit[] {
  const nameless = requested.length > 1 ? requested.findIndex((unit) => unit.reference_id === undefined) : -1
  if (nameless >= 0) {
    throw refuse(422, 'REFERENCE_ID_REQUIRED', { field: `/purchase_units/${nameless}/reference_id`, location: 'body' })
  }
  const units = requested.map((unit) => ({ ...unit, reference_id: unit.reference_id ?? 'default' }))
  const missing = missingAddresses(units, preference)
  if (missing.length > 0) throw new Refusal(400, missing)
  const issues = unitIssues(units, preference)
  if (issues.length > 0) throw new Refusal(422, issues)
  return units.map((unit) => usualForm(unit, preference))
}

function missingAddresses(units: readonly PurchaseUnit[], preference: Experience['shippingPreference']): Issue[] {
  if (preference !== 'SET_PROVIDED_ADDRESS') return []
  return units
    .filter((unit) => !unit.shipping?.address && unit.shipping?.type === undefined)
    .map((unit) => ({
      issue: 'MISSING_REQUIRED_PARAMETER',
      field: `/purchase_units/@reference_id=='${unit.reference_id}'/shipping/address`,
      location: 'body',
    }))
}

function usualForm(unit: PurchaseUnit, preference: Experience['shippingPreference']): PurchaseUnit {
  const { breakdown, ...total } = unit.amount
  const amount = normalised(total)
  const parts: Breakdown = Object.fromEntries(
    Object.entries(breakdown ?? {}).map(([name, part]) => [name, normalised(part)]),
  )
  const usual: PurchaseUnit = { ...unit, amount: breakdown ? { ...amount, breakdown: parts } : amount }
  if (preference === 'NO_SHIPPING') delete usual.shipping
  return usual
}
