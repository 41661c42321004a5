import { csvLine } from '#contract/shared/csv-line.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import { type BookedPeriod, bookedRates } from '#database/orders/booked-orders.ts'
import type { OrderItemRow } from '#database/orders/orders.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { type BookedPart, mergedByRate } from '#domain/orders/booked-parts.ts'
import { localTime } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'
import { type BookedEntry, bookedEntries } from './booked-orders.ts'
import { inMerchantLanguage, itemName } from './order-lines.ts'
import { ownMethodTitle } from './read-order.ts'

export type BookkeepingOptions = BookedPeriod & {
  /** One row for each entry, or for each of its lines, packages and fees. */
  readonly per: 'order' | 'line'
}

/**
 * Yields the lines of a file for the bookkeeper: sales when they were paid, and refunds, negative, when they were paid
 * out. Net and tax by rate add up to the total in each row, and the rows of an order to the order.
 */
export async function* exportBookkeeping(
  tools: Pick<Tools, 'db' | 'settings'>,
  { per, ...period }: BookkeepingOptions,
): AsyncGenerator<string> {
  const rates = await bookedRates(tools.db.kysely, period)
  yield csvLine(titles(per, rates))
  for await (const entry of bookedEntries(tools, period)) {
    if (per === 'order') yield csvLine(entryCells(tools, entry, rates))
    else for (const [place, part] of entry.parts.entries()) yield csvLine(partCells(tools, entry, part, place, rates))
  }
}

function titles(per: BookkeepingOptions['per'], rates: readonly number[]): string[] {
  return [
    ...['Type', 'Date', 'Order', 'Country'],
    ...(per === 'order' ? [] : ['Item', 'Name', 'SKU', 'Quantity']),
    ...['Currency', 'Net'],
    ...(per === 'order' ? ['Net shipping', 'Net fees', 'Net discount'] : []),
    ...rates.map((rate) => `Tax ${percentText(rate)} %`),
    ...['Tax other', 'Tax', 'Total'],
    ...(per === 'order' ? ['Provider fee'] : []),
    ...['Payment method', 'Reference', 'Own currency', 'Exchange rate', 'Own net', 'Own tax', 'Own total'],
  ]
}

const sumOf = (parts: readonly BookedPart[], of: 'net' | 'tax') => parts.reduce((sum, part) => sum + part[of], 0)

function entryCells(tools: Pick<Tools, 'settings'>, entry: BookedEntry, rates: readonly number[]): string[] {
  const { order, parts, ownParts, fee, type } = entry
  const amount = (minor: number) => decimalString(money(minor, order.currency))
  const netOf = (kind: BookedPart['kind']) =>
    sumOf(
      parts.filter((part) => part.kind === kind),
      'net',
    )
  return [
    ...head(tools, entry),
    order.currency,
    amount(sumOf(parts, 'net')),
    amount(netOf('shipping')),
    amount(netOf('fee')),
    amount(type === 'sale' ? order.discount_total : 0),
    ...taxCells(parts, rates, amount),
    amount(sumOf(parts, 'net') + sumOf(parts, 'tax')),
    fee === null ? '' : amount(fee),
    ...tail(tools, entry, ownParts),
  ]
}

function partCells(
  tools: Pick<Tools, 'settings'>,
  entry: BookedEntry,
  part: BookedPart,
  place: number,
  rates: readonly number[],
): string[] {
  const { order, items, ownParts } = entry
  const amount = (minor: number) => decimalString(money(minor, order.currency))
  const item = items.find(({ id }) => id === part.id)
  return [
    ...head(tools, entry),
    part.kind,
    item ? itemName(inMerchantLanguage(item)) : '',
    item?.sku ?? '',
    item?.type === 'line_item' ? quantityText(item, entry.type) : '',
    order.currency,
    amount(part.net),
    ...taxCells([part], rates, amount),
    amount(part.net + part.tax),
    ...tail(tools, entry, ownParts.slice(place, place + 1)),
  ]
}

/** Refunds name amounts; their pieces are those of the stock. */
const quantityText = ({ quantity }: OrderItemRow, type: BookedEntry['type']) =>
  type === 'sale' ? String(quantity) : ''

function head({ settings }: Pick<Tools, 'settings'>, { type, at, order, country }: BookedEntry): string[] {
  return [type, localTime(at, settings.timeZone).slice(0, 10), String(order.id), country]
}

function taxCells(parts: readonly BookedPart[], rates: readonly number[], amount: (minor: number) => string): string[] {
  const taxes = mergedByRate(parts.flatMap((part) => part.taxes))
  const known = rates.map((rate) => taxes.find(({ ratePpm }) => ratePpm === rate)?.tax ?? 0)
  const tax = sumOf(parts, 'tax')
  const other = known.reduce((rest, one) => rest - one, tax)
  return [...known, other, tax].map(amount)
}

function tail(
  { settings }: Pick<Tools, 'settings'>,
  { order, reference, ownCurrency }: BookedEntry,
  ownParts: readonly BookedPart[],
): string[] {
  const own = (minor: number) => decimalString(money(minor, ownCurrency))
  const [net, tax] = [sumOf(ownParts, 'net'), sumOf(ownParts, 'tax')]
  return [
    ownMethodTitle(settings, order),
    reference,
    ownCurrency,
    order.exchange_rate ?? '1',
    own(net),
    own(tax),
    own(net + tax),
  ]
}
