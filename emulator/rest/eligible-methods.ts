import { isKnownCurrency } from '../orders/amounts.ts'
import { refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { eligibleMethodsRequest } from './schemas.ts'

const errors = { document: 'checkout_orders_v2', prefix: '' } as const
/** Countries whose buyers may pay later. */
const LATER = new Set(['AU', 'CA', 'DE', 'ES', 'FR', 'GB', 'IT', 'US'])

type Request = {
  customer?: { country_code?: string }
  purchase_units?: { amount?: { currency_code: string } }[]
  preferences?: {
    payment_flow?: string
    payment_source_constraint?: { constraint_type?: string; payment_sources?: string[] }
  }
}

/** `POST /v2/payments/find-eligible-methods`: payment methods that this buyer may be offered. */
export const eligibleMethodsOperation: Operation = {
  name: 'eligible-methods.find',
  method: 'POST',
  path: '/v2/payments/find-eligible-methods',
  schema: eligibleMethodsRequest,
  errors,
  run: findEligibleMethods,
}

function findEligibleMethods({ world, body }: Call): Answer {
  // The schema says: these fields.
  const { customer, purchase_units: units, preferences } = body as Request
  const country = customer?.country_code ?? 'US'
  const currency = units?.[0]?.amount?.currency_code ?? 'USD'
  if (!isKnownCurrency(currency)) {
    const field = '/purchase_units/0/amount/currency_code'
    throw refuse(422, 'INVALID_CURRENCY_CODE', { field, value: currency, location: 'body' })
  }
  const keeps = preferences?.payment_flow?.startsWith('VAULT') === true
  const natural: Record<string, boolean> = {
    paypal: true,
    paypal_pay_later: !keeps && LATER.has(country),
    venmo: country === 'US' && currency === 'USD',
    advanced_cards: true,
    card: true,
  }
  const switches: Record<string, string> = { paypal_pay_later: 'paylater', advanced_cards: 'card' }
  const { constraint_type: type, payment_sources: named = [] } = preferences?.payment_source_constraint ?? {}
  const wanted = (name: string) =>
    type === undefined || named.map((one) => one.toLowerCase()).includes(name) === (type === 'INCLUDE')
  const eligible = Object.entries(natural)
    .filter(([name, may]) => wanted(name) && (world.eligibility.get(switches[name] ?? name) ?? may))
    .map(([name]) => [name, name === 'card' || name === 'advanced_cards' ? cardDetails : details(keeps)])
  return { status: 200, show: () => ({ eligible_methods: Object.fromEntries(eligible) }) }
}

const cardDetails = {
  can_be_vaulted: true,
  vendors: ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'MAESTRO', 'CHINA_UNION_PAY'].map((network) => ({
    network,
    eligible: true,
    can_be_vaulted: true,
  })),
}

function details(keeps: boolean): object {
  return { eligible_in_paypal_network: true, recommended: !keeps, can_be_vaulted: true }
}
