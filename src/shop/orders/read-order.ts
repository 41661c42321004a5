import { urls } from '#contract/shared/urls.ts'
import { readTogether } from '#database/engine/pipeline.ts'
import { type Download, findOrdersDownloads } from '#database/orders/downloads.ts'
import {
  findOrderItems,
  findShownOrder,
  findShownProducts,
  type OrderItemRow,
  type OrderRow,
} from '#database/orders/orders.ts'
import { findRefundsWithTax, type RefundWithTax } from '#database/payments/refunds.ts'
import { money } from '#domain/money/money.ts'
import { addressLines } from '../addresses/address-lines.ts'
import type { OrderFacts } from '../checkout/checkout-facts.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import { methodTitle } from '../payments/operation/payment-methods.ts'
import type { Tools } from '../shared/tools.ts'
import type { Translator } from '../translation/translator.ts'
import { localizeDownloads } from './downloads/list-downloads.ts'
import { orderNumber } from './imported-order.ts'
import { discountOnLines, inMerchantLanguage, lineFacts } from './order-lines.ts'

/** Reads an order for pages, emails and commands, or null. */
export async function readOrder(
  tools: Pick<Tools, 'db' | 'settings' | 'clock' | 'translator'>,
  id: number,
): Promise<{ row: OrderRow; facts: OrderFacts } | null> {
  const read = await readOrderRows(tools, id)
  return read && { row: read.row, facts: await localizeOrder(tools, read) }
}

/** Rows of an order that are equal in every language. */
export type OrderRows = {
  readonly row: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly refunds: readonly RefundWithTax[]
  /** Files that can be downloaded now. */
  readonly opened: readonly Download[]
  readonly shown: readonly { id: number; slug: string }[]
}

export async function readOrderRows({ db, clock }: Pick<Tools, 'db' | 'clock'>, id: number): Promise<OrderRows | null> {
  const [row, items, refunds, opened, shown] = await readTogether(db, (one) =>
    Promise.all([
      findShownOrder(one, id),
      findOrderItems(one, id),
      findRefundsWithTax(one, id),
      findOrdersDownloads(one, id, clock.now()),
      findShownProducts(one, id),
    ]),
  )
  return row ? { row, items, refunds, opened, shown } : null
}

/** Localizes an order; its items keep the names that the customer saw. */
export async function localizeOrder(
  tools: Pick<Tools, 'settings' | 'translator'>,
  { row, items, refunds, opened, shown }: OrderRows,
): Promise<OrderFacts> {
  const slugs = new Map(shown.map((product) => [product.id, product.slug]))
  const downloads = await localizeDownloads(tools, opened)
  const { t } = await tools.translator()
  return { ...orderFacts(row, items, slugs, { settings: tools.settings, t }, refunds), downloads }
}

/** Localizes an order for the shop, with the merchant's names, whatever the customer's language. */
export async function localizeOrderForShop(
  tools: Pick<Tools, 'settings' | 'translator'>,
  { row, items, ...read }: OrderRows,
): Promise<OrderFacts> {
  const { t } = await tools.translator()
  const written = items.map((item) => {
    const own = inMerchantLanguage(item)
    // Default names are translated by the shop; see `localizeCart`.
    return own !== item && (item.type === 'shipping' || item.type === 'tax') ? { ...own, name: t(own.name) } : own
  })
  const ownRow = { ...row, payment_method_title: ownMethodTitle(tools.settings, row) }
  return localizeOrder(tools, { row: ownRow, items: written, ...read })
}

/**
 * Returns the merchant's title of the payment method, whatever the customer's language. A card keeps brand and digits.
 */
export function ownMethodTitle(settings: Parameters<typeof methodTitle>[0], row: OrderRow): string {
  if (row.language === '' || isCard(row)) return row.payment_method_title
  return methodTitle(settings, row.payment_method) ?? row.payment_method_title
}

/** Tax display of orders, which follows that of carts. */
type TaxDisplay = Pick<Tools['settings']['taxes'], 'displayCart' | 'itemised'>

export function orderFacts(
  row: OrderRow,
  items: readonly OrderItemRow[],
  slugs: ReadonlyMap<number, string>,
  { settings, t }: { settings: Pick<Tools['settings'], 'taxes' | 'base' | 'language'>; t: Translator['t'] },
  refunds: readonly RefundWithTax[] = [],
): OrderFacts {
  const inCurrency = (minor: number) => money(minor, row.currency)
  const lines = items.filter(({ type }) => type === 'line_item')
  const billing = row.billing as AddressState
  const display = settings.taxes
  const withTax = display.displayCart === 'incl'
  const back = refunds.filter(({ state, stray, amount }) => state === 'done' && !stray && amount > 0)
  const taxes = taxesOf(row, items, display, t)
  const shown = (net: number, tax: number) => inCurrency(withTax ? net + tax : net)
  return {
    id: row.id,
    number: orderNumber(row),
    key: row.key,
    status: row.status,
    paymentState: row.payment_state,
    createdAt: row.created_at,
    email: billing.email,
    currency: row.currency,
    lines: lines.map((item) => {
      const slug = item.product_id === null ? undefined : slugs.get(item.product_id)
      return {
        productId: item.product_id,
        name: item.name,
        url: slug ? urls.product(slug) : null,
        sku: item.sku,
        quantity: item.quantity,
        choices: lineFacts(item).choices,
        subtotal: shown(item.subtotal, item.subtotal_tax),
        total: shown(item.total, item.total_tax),
      }
    }),
    totals: totalsRows(row, items, back, { shown, taxes: withTax ? [] : taxes, t }),
    includedTaxes: withTax ? taxesLeft(taxes, back, t) : [],
    total: inCurrency(row.total),
    billing: addressLines(settings, billing),
    shipping: items.some(({ type }) => type === 'shipping') ? addressLines(settings, row.shipping as AddressState) : [],
    phone: billing.phone,
    customerNote: row.customer_note,
    paymentMethod: row.payment_method,
    paymentMethodTitle: paidBy(row, t),
  }
}

/** Card title, stored in English by the first caller, which may be a webhook. */
const card = /^(.+) ending in (\d{2,4})$/

const isCard = ({ payment_method_title: title }: OrderRow) => card.test(title)

function paidBy({ payment_method_title: title }: OrderRow, t: Translator['t']): string {
  const [, brand, digits] = card.exec(title) ?? []
  return brand && digits ? t('%s ending in %s', brand === 'Card' ? t('Card') : brand, digits) : t(title)
}

type Rows = { key: string; label: string; value: OrderFacts['total'] | string }[]

function totalsRows(
  row: OrderRow,
  items: readonly OrderItemRow[],
  back: readonly RefundWithTax[],
  {
    shown,
    taxes,
    t,
  }: {
    shown: (net: number, tax: number) => OrderFacts['total']
    taxes: OrderFacts['includedTaxes']
    t: Translator['t']
  },
): Rows {
  const of = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const sum = (rows: readonly OrderItemRow[], figure: 'subtotal' | 'subtotal_tax') =>
    rows.reduce((total, item) => total + item[figure], 0)
  const lines = of('line_item')
  const rows: Rows = [
    { key: 'cart_subtotal', label: t('Subtotal'), value: shown(sum(lines, 'subtotal'), sum(lines, 'subtotal_tax')) },
  ]
  const { net, tax } = discountOnLines(items)
  const off = shown(net, tax)
  if (off.minor > 0) rows.push({ key: 'discount', label: t('Discount'), value: { ...off, minor: -off.minor } })
  for (const rate of of('shipping')) {
    const cost = shown(rate.total, rate.total_tax)
    rows.push({
      key: 'shipping',
      label: `${t('%s:', t('Shipping'))} ${rate.name}`,
      value: cost.minor === 0 ? t('Free') : cost,
    })
  }
  for (const fee of of('fee')) rows.push({ key: 'fee', label: fee.name, value: shown(fee.total, fee.total_tax) })
  for (const { label, amount } of taxes) rows.push({ key: 'tax', label, value: amount })
  rows.push({ key: 'payment_method', label: t('Payment method'), value: paidBy(row, t) })
  for (const { amount } of back) rows.push({ key: 'refund', label: t('Refund'), value: money(-amount, row.currency) })
  const left = back.reduce((rest, { amount }) => rest - amount, row.total)
  const label = back.length > 0 ? t('Total after refunds') : t('Total')
  rows.push({ key: 'order_total', label, value: money(left, row.currency) })
  return rows
}

/** Returns the tax rows by rate, or one sum. */
function taxesOf(
  row: OrderRow,
  items: readonly OrderItemRow[],
  { itemised }: TaxDisplay,
  t: Translator['t'],
): OrderFacts['includedTaxes'] {
  const inCurrency = (minor: number) => money(minor, row.currency)
  if (!itemised) return row.total_tax === 0 ? [] : [{ label: t('Tax'), amount: inCurrency(row.total_tax) }]
  return items
    .filter(({ type, total, total_tax }) => type === 'tax' && total + total_tax !== 0)
    .map(({ name, total, total_tax }) => ({ label: name, amount: inCurrency(total + total_tax) }))
}

/**
 * Returns the taxes of a total after refunds. Lines store one tax figure, so several rates become one sum; a refund of
 * no particular line leaves taxes unknown.
 */
function taxesLeft(
  taxes: OrderFacts['includedTaxes'],
  back: readonly RefundWithTax[],
  t: Translator['t'],
): OrderFacts['includedTaxes'] {
  const [first, ...others] = taxes
  if (back.length === 0 || !first) return taxes
  const gone = back.map(({ tax }) => tax)
  if (!gone.every((tax) => tax !== null)) return []
  const left = taxes.reduce((rest, { amount }) => rest + amount.minor, 0) - gone.reduce((all, tax) => all + tax, 0)
  if (left === 0) return []
  return [{ label: others.length === 0 ? first.label : t('Tax'), amount: money(left, first.amount.currency) }]
}
