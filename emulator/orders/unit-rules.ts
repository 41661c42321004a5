import type { Issue } from '../rest/error-bodies.ts'
import type { Amount } from './amounts.ts'
import { amountFault, hundredths } from './amounts.ts'
import type { Address, Breakdown, PurchaseUnit, ShippingPreference } from './order.ts'

/** Countries whose addresses need no postal code, out of those shops usually ship to. */
const WITHOUT_POSTAL_CODE = new Set(
  'AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GL GM GN GQ GY HK IE JM KE KI KM KN KP LC ML MO MR MS MU MW NA NR NU PA QA RW SB SC SL SR ST SY TD TF TG TK TO TT TV TZ UG VU WS YE ZW'.split(
    ' ',
  ),
)
const WITHOUT_CITY = new Set(['SG', 'HK', 'MO', 'GI', 'VA', 'MC'])

/** Parts that the total is the sum of; the last two are taken off. */
const ADDED = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance'] as const
const TAKEN_OFF = ['shipping_discount', 'discount'] as const

/** Every rule of amounts, items, addresses and shipping options that the units break, in the order of the units. */
export function unitIssues(units: readonly PurchaseUnit[], preference: ShippingPreference): Issue[] {
  const issues: Issue[] = []
  const currency = units[0]?.amount.currency_code
  const seen = new Set<string>()
  for (const unit of units) {
    const pointer = `/purchase_units/@reference_id=='${unit.reference_id}'`
    if (seen.has(unit.reference_id)) issues.push(bodyIssue('DUPLICATE_REFERENCE_ID', `${pointer}/reference_id`))
    seen.add(unit.reference_id)
    if (unit.amount.currency_code !== currency) {
      issues.push(bodyIssue('MULTI_CURRENCY_ORDER', `${pointer}/amount/currency_code`, unit.amount.currency_code))
    }
    issues.push(...singleAmountIssues(unit, pointer), ...optionIssues(unit, pointer, preference))
    if (unit.shipping?.address) issues.push(...addressIssues(unit.shipping.address, `${pointer}/shipping/address`))
  }
  // Sums are compared only once each figure makes sense alone.
  return issues.length > 0
    ? issues
    : units.flatMap((unit) => sumIssues(unit, `/purchase_units/@reference_id=='${unit.reference_id}'`))
}

function singleAmountIssues(unit: PurchaseUnit, pointer: string): Issue[] {
  const issues: Issue[] = []
  const check = (amount: Amount | undefined, field: string, least: 'zero' | 'more-than-zero') => {
    if (!amount) return
    const fault = amountFault(amount, least)
    if (fault) {
      const part = fault === 'INVALID_CURRENCY_CODE' ? 'currency_code' : 'value'
      issues.push(bodyIssue(fault, `${field}/${part}`, amount[part]))
    } else if (amount.currency_code !== unit.amount.currency_code) {
      issues.push(bodyIssue('MULTI_CURRENCY_ORDER', `${field}/currency_code`, amount.currency_code))
    }
  }
  check(unit.amount, `${pointer}/amount`, 'more-than-zero')
  for (const part of [...ADDED, ...TAKEN_OFF]) {
    check(unit.amount.breakdown?.[part], `${pointer}/amount/breakdown/${part}`, 'zero')
  }
  for (const [index, item] of (unit.items ?? []).entries()) {
    check(item.unit_amount, `${pointer}/items/${index}/unit_amount`, 'zero')
    check(item.tax, `${pointer}/items/${index}/tax`, 'zero')
  }
  return issues
}

function sumIssues(unit: PurchaseUnit, pointer: string): Issue[] {
  const issues: Issue[] = []
  const breakdown = unit.amount.breakdown
  const total = (name: string) => `${pointer}/amount/breakdown/${name}`
  if (unit.items && unit.items.length > 0) {
    const items = unit.items.reduce((sum, item) => sum + BigInt(item.quantity) * hundredths(item.unit_amount), 0n)
    if (!breakdown?.item_total) issues.push(bodyIssue('ITEM_TOTAL_REQUIRED', total('item_total')))
    else if (hundredths(breakdown.item_total) !== items) {
      issues.push(bodyIssue('ITEM_TOTAL_MISMATCH', `${total('item_total')}/value`, breakdown.item_total.value))
    }
    if (unit.items.some((item) => item.tax)) {
      const tax = unit.items.reduce((sum, item) => sum + BigInt(item.quantity) * hundredths(item.tax), 0n)
      if (!breakdown?.tax_total) issues.push(bodyIssue('TAX_TOTAL_REQUIRED', total('tax_total')))
      else if (hundredths(breakdown.tax_total) !== tax) {
        issues.push(bodyIssue('TAX_TOTAL_MISMATCH', `${total('tax_total')}/value`, breakdown.tax_total.value))
      }
    }
  }
  if (issues.length === 0 && breakdown && sumOf(breakdown) !== hundredths(unit.amount)) {
    issues.push(bodyIssue('AMOUNT_MISMATCH', `${pointer}/amount/value`, unit.amount.value))
  }
  return issues
}

function sumOf(breakdown: Breakdown): bigint {
  const added = ADDED.reduce((sum, part) => sum + hundredths(breakdown[part]), 0n)
  return TAKEN_OFF.reduce((sum, part) => sum - hundredths(breakdown[part]), added)
}

function optionIssues(unit: PurchaseUnit, pointer: string, preference: ShippingPreference): Issue[] {
  const options = unit.shipping?.options
  if (!options || options.length === 0) return []
  const field = `${pointer}/shipping/options`
  if (preference !== 'GET_FROM_FILE') return [bodyIssue('SHIPPING_OPTIONS_NOT_SUPPORTED', field)]
  const selected = options.filter((option) => option.selected)
  if (selected.length === 0) return [bodyIssue('SHIPPING_OPTION_NOT_SELECTED', field)]
  if (selected.length > 1) return [bodyIssue('MULTIPLE_SHIPPING_OPTION_SELECTED', field)]
  const amount = selected[0]?.amount
  const shipping = unit.amount.breakdown?.shipping
  if (amount && shipping && hundredths(amount) !== hundredths(shipping)) {
    return [bodyIssue('PREFERRED_SHIPPING_OPTION_AMOUNT_MISMATCH', `${pointer}/amount/breakdown/shipping`)]
  }
  return []
}

function addressIssues(address: Address, field: string): Issue[] {
  const issues: Issue[] = []
  if (!address.postal_code && !WITHOUT_POSTAL_CODE.has(address.country_code)) {
    issues.push(bodyIssue('POSTAL_CODE_REQUIRED', `${field}/postal_code`))
  }
  if (!address.admin_area_2 && !WITHOUT_CITY.has(address.country_code)) {
    issues.push(bodyIssue('CITY_REQUIRED', `${field}/admin_area_2`))
  }
  return issues
}

function bodyIssue(issue: string, field: string, value?: string): Issue {
  return value === undefined ? { issue, field, location: 'body' } : { issue, field, location: 'body', value }
}
