import {
  type AttributionField,
  attributionFieldNames,
  attributionMetaPrefix,
} from '#contract/attribution/attribution.ts'
import type { V3OrderRecord } from '#contract/orders/v3-order-record.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import { urls } from '#contract/shared/urls.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import type { OrderParts } from '#database/orders/rest-orders.ts'
import { postalKeys } from '#domain/addresses/address-fields.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { needsPayment, paidStatus } from '#domain/orders/order-status.ts'
import { storedAttribution } from '../attribution/attribution-intake.ts'
import { storedTermsAgreement } from '../checkout/agreed-terms.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import { localTime } from '../shared/local-time.ts'
import { type MetaEntry, metaEntries } from '../shared/meta-data.ts'
import type { Tools } from '../shared/tools.ts'
import { isImported, orderNumber } from './imported-order.ts'
import { itemName, lineFacts, taxFacts, taxShares } from './order-lines.ts'

/** Order of the REST API; amounts are decimal strings in the order's own currency. */
export type RestOrder = V3OrderRecord

/** Version of the public interface, not of this shop: clients derive the expected fields from it. */
const interfaceVersion = '3.0.0'

/** @param parts of this order, and perhaps of others */
export function restOrder(
  { settings, publicUrl }: Pick<Tools, 'settings' | 'publicUrl'>,
  row: OrderRow,
  parts: OrderParts,
): RestOrder {
  const own = <Part extends { order_id: number }>(all: readonly Part[]) =>
    all.filter(({ order_id: of }) => of === row.id)
  const amount = (minor: number) => decimalString(money(minor, row.currency))
  const items = own(parts.items)
  const ofType = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const lines = ofType('line_item')
  const completedAt = own(parts.completed)[0]?.at ?? null
  const moments = (name: string, at: Date | null) => ({
    [name]: at && localTime(at, settings.timeZone),
    [`${name}_gmt`]: at && localTime(at, 'UTC'),
  })
  // Written by the checkout alone, with this type; erased members are missing.
  const [billing, shipping] = [row.billing as Partial<AddressState>, row.shipping as Partial<AddressState>]
  const owes = needsPayment({ status: row.status, totalMinor: row.total })
  return {
    id: row.id,
    parent_id: 0,
    number: orderNumber(row),
    order_key: row.key,
    created_via: row.created_via,
    version: interfaceVersion,
    status: row.trashed_at ? 'trash' : row.status,
    currency: row.currency,
    ...(moments('date_created', row.created_at) as Dates<'date_created'>),
    ...(moments('date_modified', row.updated_at) as Dates<'date_modified'>),
    discount_total: amount(row.discount_total),
    discount_tax: amount(row.discount_tax),
    shipping_total: amount(row.shipping_total),
    shipping_tax: amount(row.shipping_tax),
    cart_tax: amount(row.cart_tax),
    total: amount(row.total),
    total_tax: amount(row.total_tax),
    prices_include_tax: row.prices_include_tax,
    customer_id: row.customer_id ?? 0,
    customer_ip_address: row.customer_ip,
    customer_user_agent: row.customer_user_agent,
    customer_note: row.customer_note,
    billing: { ...addressOf(billing), email: billing.email ?? '' },
    shipping: addressOf(shipping),
    payment_method: row.payment_method,
    payment_method_title: row.payment_method_title,
    transaction_id: row.transaction_id ?? '',
    ...(moments('date_paid', row.paid_at) as Dates<'date_paid'>),
    ...(moments('date_completed', completedAt) as Dates<'date_completed'>),
    cart_hash: row.cart_hash,
    meta_data: metaData(row),
    ...restLines(items, amount),
    coupon_lines: ofType('coupon').map(({ id, name, total, total_tax }) => ({
      id,
      code: name,
      discount: amount(total),
      discount_tax: amount(total_tax),
      meta_data: [],
    })),
    refunds: own(parts.refunds).map(({ id, reason, amount: minor }) => ({ id, reason, total: amount(-minor) })),
    payment_url: publicUrl + urls.orderPay(row.id, row.key),
    is_editable: !isImported(row) && ['pending', 'on-hold', 'checkout-draft'].includes(row.status),
    needs_payment: owes,
    // True where the order needs work or shipping after the payment.
    needs_processing: paidStatus(lines.map(lineFacts)) === 'processing',
  }
}

/** Returns the lines of an order without coupons. @param amount formats minor units of its currency */
export function restLines(items: readonly OrderItemRow[], amount: (minor: number) => string) {
  const ofType = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const taxes = taxesByRate(ofType('tax'), amount)
  return {
    line_items: ofType('line_item').map((item) => ({
      ...lineItem(item, amount),
      taxes: taxes(item, amount(item.subtotal_tax)),
    })),
    tax_lines: ofType('tax').map((item) => taxLine(item, amount)),
    shipping_lines: ofType('shipping').map((item) => ({ ...shippingLine(item, amount), taxes: taxes(item) })),
    fee_lines: ofType('fee').map((item) => ({ ...feeLine(item, amount), taxes: taxes(item) })),
  }
}

type Dates<Name extends string> = Record<Name | `${Name}_gmt`, string | null>

/** Returns metadata of the order, under the names that reports and connectors expect. */
function metaData({
  attribution,
  language,
  terms,
  imported_from: importedFrom,
  meta_data: written,
}: Pick<OrderRow, 'attribution' | 'language' | 'terms' | 'imported_from' | 'meta_data'>): MetaEntry[] {
  const kept = storedAttribution(attribution)
  const agreed = storedTermsAgreement({ terms })
  const fieldsOf = (touch: Partial<Record<AttributionField, string>>, prefix: string) =>
    attributionFieldNames.flatMap((field): [string, string][] => {
      const value = touch[field]
      return value === undefined ? [] : [[prefix + field, value]]
    })
  const derived = [
    ...fieldsOf(kept, attributionMetaPrefix),
    ...(kept.device_type ? [[`${attributionMetaPrefix}device_type`, kept.device_type] as const] : []),
    // The public interface has only the last touch: the first one has names of ours.
    ...fieldsOf(kept.first ?? {}, '_vitrine_first_visit_'),
    // Language of the item names, where it is not the shop's own.
    ...(language === '' ? [] : [['_vitrine_language', language] as const]),
    ...(importedFrom === null ? [] : [['_vitrine_imported_from', importedFrom] as const]),
    ...(agreed
      ? ([
          ['_vitrine_terms_version', agreed.version],
          ['_vitrine_terms_language', agreed.language],
          ['_vitrine_terms_shown_at', agreed.at],
        ] as const)
      : []),
  ].map(([key, value], index) => ({ id: index + 1, key, value }))
  return [...derived, ...metaEntries(written)]
}

function lineItem(item: OrderItemRow, amount: (minor: number) => string) {
  const { id, name, quantity, sku } = item
  return {
    id,
    name: itemName(item),
    // The public interface names the product here only beside its variation.
    parent_name: item.variation_id === null ? null : name,
    product_id: item.product_id ?? 0,
    variation_id: item.variation_id ?? 0,
    quantity,
    tax_class: '',
    subtotal: amount(item.subtotal),
    subtotal_tax: amount(item.subtotal_tax),
    total: amount(item.total),
    total_tax: amount(item.total_tax),
    meta_data: choicesData(item),
    sku,
    // Number, as in the public interface: unit price, read-only.
    price: Number(amount(item.total)) / (quantity || 1),
  }
}

/** Returns the choices: by language-independent slugs, and with their labels. */
function choicesData(item: OrderItemRow) {
  const { choices, attributes } = lineFacts(item)
  return choices.map(({ slug, label, value }, index) => ({
    id: index + 1,
    key: slug ?? label,
    value: slug !== undefined && Object.hasOwn(attributes, slug) ? attributes[slug] : value,
    display_key: label,
    display_value: value,
  }))
}

function feeLine({ id, name, total, total_tax, facts }: OrderItemRow, amount: (minor: number) => string) {
  return {
    id,
    name,
    tax_class: String(facts.taxClass ?? ''),
    tax_status: total_tax === 0 ? 'none' : 'taxable',
    amount: amount(total),
    total: amount(total),
    total_tax: amount(total_tax),
    meta_data: [],
  }
}

/**
 * Returns a function for a line's taxes by rate. Lines store shares where the order may have several rates; a single
 * rate needs none. Early orders have none.
 * @returns the taxes of a line, with those before discounts, which only products have
 */
function taxesByRate(rates: readonly OrderItemRow[], amount: (minor: number) => string) {
  const [only, ...others] = rates.map(taxFacts)
  const id = others.length === 0 ? only?.rateId : undefined
  return (item: OrderItemRow, subtotal = '') => {
    const kept = taxShares(item)
    if (kept) {
      return kept.map(({ rateId, total, subtotal: before }) => ({
        id: rateId,
        total: amount(total),
        subtotal: before === undefined ? subtotal : amount(before),
      }))
    }
    const { total_tax: tax, subtotal_tax: before } = item
    return id === undefined || (tax === 0 && before === 0) ? [] : [{ id, total: amount(tax), subtotal }]
  }
}

function taxLine(item: OrderItemRow, amount: (minor: number) => string) {
  const { code, rateId, ratePpm, compound } = taxFacts(item)
  return {
    id: item.id,
    rate_code: code ?? '',
    rate_id: rateId ?? 0,
    label: item.name,
    compound: compound ?? false,
    tax_total: amount(item.total),
    shipping_tax_total: amount(item.total_tax),
    // Number, as in the public interface. It distinguishes rates with the same code.
    ...(ratePpm === undefined ? {} : { rate_percent: Number(percentText(ratePpm)) }),
    meta_data: [],
  }
}

function shippingLine({ id, name, total, total_tax, facts }: OrderItemRow, amount: (minor: number) => string) {
  const [method = '', instance = ''] = String(facts.rateId ?? '').split(':')
  // Written by `place-order.ts` alone, with this type.
  const contents = (facts.contents ?? []) as readonly { name: string; quantity: number }[]
  const held = contents.map(({ name: product, quantity }) => `${product} × ${quantity}`).join(', ')
  return {
    id,
    method_title: name,
    method_id: method,
    instance_id: instance,
    total: amount(total),
    total_tax: amount(total_tax),
    meta_data: held === '' ? [] : [{ id: 1, key: 'Items', value: held, display_key: 'Items', display_value: held }],
  }
}

function addressOf(address: Partial<AddressState>): Record<(typeof postalKeys)[number], string> {
  // Justifies the cast: one entry for each name.
  return Object.fromEntries(postalKeys.map((key) => [key, address[key] ?? ''])) as Record<
    (typeof postalKeys)[number],
    string
  >
}
