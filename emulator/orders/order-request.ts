import { type Issue, Refusal, refuse } from '../rest/error-bodies.ts'
import { normalizeAmount } from './amounts.ts'
import type { Breakdown, Experience, Intent, PurchaseUnit } from './order.ts'
import type { SourceRequest } from './order-source.ts'
import { unitIssues } from './unit-rules.ts'

/** A unit as it is sent: without a reference id when there is only one. */
export type UnitRequest = Omit<PurchaseUnit, 'reference_id'> & { reference_id?: string }

export type ExperienceContext = {
  brand_name?: string
  locale?: string
  shipping_preference?: Experience['shippingPreference']
  user_action?: Experience['userAction']
  payment_method_preference?: string
  return_url?: string
  cancel_url?: string
  order_update_callback_config?: { callback_url: string; callback_events?: readonly string[] }
}

/** The parts of the order schema that this emulator acts on. */
export type OrderRequest = {
  intent: Intent
  purchase_units: UnitRequest[]
  payment_source?: SourceRequest
  application_context?: ExperienceContext
}

/** The name of the source and how it is to be shown. */
export function contextOf(source: SourceRequest | undefined): [string, ExperienceContext] {
  if (source?.venmo) return ['venmo', source.venmo.experience_context ?? {}]
  if (source?.card) return ['card', source.card.experience_context ?? {}]
  return ['paypal', source?.paypal?.experience_context ?? {}]
}

export function readExperience(request: Pick<OrderRequest, 'payment_source' | 'application_context'>): Experience {
  const [name, current] = contextOf(request.payment_source)
  const old = request.application_context ?? {}
  const twice = Object.keys(current).find((key) => Object.hasOwn(old, key))
  if (twice !== undefined) {
    throw refuse(422, 'INCOMPATIBLE_PARAMETER_VALUE', { field: `/application_context/${twice}`, location: 'body' })
  }
  const given = { ...old, ...current }
  for (const key of ['return_url', 'cancel_url'] as const) {
    const url = given[key]
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      const field = `/payment_source/${name}/experience_context/${key}`
      throw refuse(400, 'INVALID_PARAMETER_SYNTAX', { field, value: url, location: 'body' })
    }
  }
  const callback = readCallback(current, `/payment_source/${name}/experience_context/order_update_callback_config`)
  return {
    shippingPreference: given.shipping_preference ?? 'GET_FROM_FILE',
    userAction: given.user_action ?? 'CONTINUE',
    immediatePaymentRequired: given.payment_method_preference === 'IMMEDIATE_PAYMENT_REQUIRED',
    ...(given.brand_name === undefined ? {} : { brandName: given.brand_name }),
    ...(given.locale === undefined ? {} : { locale: given.locale }),
    ...(given.return_url === undefined ? {} : { returnUrl: given.return_url }),
    ...(given.cancel_url === undefined ? {} : { cancelUrl: given.cancel_url }),
    ...(callback ? { callback } : {}),
  }
}

const CALLBACK_EVENTS = ['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS'] as const

/** The published schema does not know this part yet: it is checked here. */
function readCallback(context: ExperienceContext, field: string): Experience['callback'] {
  const config = context.order_update_callback_config
  if (config === undefined) return undefined
  const refused = (part: string, value: unknown) =>
    refuse(400, 'INVALID_PARAMETER_VALUE', { field: `${field}/${part}`, value: String(value), location: 'body' })
  if (!/^https?:$/.test(URL.parse(config.callback_url)?.protocol ?? ''))
    throw refused('callback_url', config.callback_url)
  const events = CALLBACK_EVENTS.filter((event) => config.callback_events?.includes(event))
  if (events.length === 0 || events.length !== config.callback_events?.length) {
    throw refused('callback_events', config.callback_events)
  }
  return { url: config.callback_url, events }
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
  const amount = normalizeAmount(total)
  const parts: Breakdown = Object.fromEntries(
    Object.entries(breakdown ?? {}).map(([name, part]) => [name, normalizeAmount(part)]),
  )
  const usual: PurchaseUnit = { ...unit, amount: breakdown ? { ...amount, breakdown: parts } : amount }
  if (preference === 'NO_SHIPPING') delete usual.shipping
  return usual
}
