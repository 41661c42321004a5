import { dayText } from '#contract/import/product-csv-cells.ts'
import { urls } from '#contract/shared/urls.ts'
import type { DeskProduct } from '#database/catalog/desk-products.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { DeskProductRecord } from '#shop/catalog/manage-products.ts'
import type { CommandContext } from '../shared/command.ts'
import type { Column } from '../shared/listing.ts'
import { minute, section } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

type Settings = CommandContext['settings']

const figure = (minor: number | null, { currency }: Settings) =>
  minor === null ? '' : decimalString(money(minor, currency))

/** `19.50 (24.00)`: the price of today, and the regular one during a sale; `15.00 to 18.00` over variations. */
function priceText(product: DeskProduct, settings: Settings): string {
  const { min_price: low, max_price: high, regular_price: regular, on_sale: onSale } = product
  if (low === null || high === null) return ''
  if (low !== high) return `${figure(low, settings)} to ${figure(high, settings)}`
  return onSale && regular !== null ? `${figure(low, settings)} (${figure(regular, settings)})` : figure(low, settings)
}

const stockWords = { instock: 'in stock', outofstock: 'out of stock', onbackorder: 'on backorder' } as const

function stockText({
  manage_stock: manage,
  stock_quantity: pieces,
  stock_status: status,
  reserved,
}: DeskProduct): string {
  const words = stockWords[status]
  if (manage === 'parent') return `${words}, counted with its parent`
  if (manage === 'no') return words
  const held = reserved > 0 ? `, ${reserved} held` : ''
  return `${pieces}${held}${status === 'instock' ? '' : ` (${words})`}`
}

const statusText = ({ status, visibility }: DeskProduct) =>
  visibility === 'visible' ? status : `${status}, ${visibility === 'hidden' ? 'hidden' : `in ${visibility} only`}`

const nameOf = ({ sku, id }: DeskProduct) => sku ?? `id:${id}`

/** Sales are counted per product, not per variation. */
const soldOf = ({ type, total_sales: sold }: DeskProduct) => (type === 'variation' ? null : sold)

export function productColumns(settings: Settings): Column<DeskProduct>[] {
  return [
    { title: 'SKU', cell: nameOf },
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Type', cell: ({ type }) => type },
    {
      title: `Price (${settings.currency})`,
      cell: (product) => priceText(product, settings),
      csv: ({ min_price: price }) => figure(price, settings),
      right: true,
    },
    {
      title: 'Stock',
      cell: stockText,
      csv: ({ manage_stock: manage, stock_quantity: pieces, stock_status: status }) =>
        manage === 'yes' ? String(pieces) : status,
    },
    { title: 'Sold', cell: (product) => String(soldOf(product) ?? ''), right: true },
    { title: 'Status', cell: statusText, csv: ({ status }) => status },
  ]
}

export function productJson(product: DeskProduct, settings: Settings) {
  const { id, parent_id: parentId, sku, gtin, name, type, status, visibility, featured } = product
  return {
    ...{ id, parentId, sku, gtin, name, type, status, visibility, featured },
    price: figure(product.min_price, settings),
    highestPrice: figure(product.max_price, settings),
    regularPrice: figure(product.regular_price, settings),
    salePrice: figure(product.sale_price, settings),
    saleFrom: product.sale_from,
    saleTo: product.sale_to,
    onSale: product.on_sale,
    currency: settings.currency,
    manageStock: product.manage_stock,
    stock: product.stock_quantity,
    stockStatus: product.stock_status,
    reserved: product.reserved,
    backorders: product.backorders,
    sold: soldOf(product),
    taxStatus: product.tax_status,
    taxClass: product.tax_class,
    page: urls.product(product.page_slug),
    updatedAt: product.updated_at,
  }
}

/** The page of one product. */
export function productLines(record: DeskProductRecord, { settings, publicUrl }: CommandContext): string[] {
  const { product, variations, categories, movements } = record
  const amount = (minor: number | null) => (minor === null ? '' : `${figure(minor, settings)} ${settings.currency}`)
  const { sale_from: from, sale_to: to } = product
  const sale = [
    from && `from ${dayText(from, 'start', settings.timeZone)}`,
    to && `to ${dayText(to, 'end', settings.timeZone)}`,
  ]
  const rows = [
    ['Number', String(product.id)],
    ['SKU', product.sku ?? ''],
    ['GTIN', product.gtin],
    ['Type', product.type],
    ['Status', statusText(product)],
    ['Page', publicUrl + urls.product(product.page_slug)],
    ['Price', product.regular_price === null ? priceText(product, settings) : amount(product.regular_price)],
    ['Sale price', [amount(product.sale_price), ...sale].filter(Boolean).join(' ')],
    ['Stock', stockText(product)],
    ['Backorders', product.backorders === 'no' ? '' : product.backorders],
    ['Low stock', product.low_stock_amount === null ? '' : String(product.low_stock_amount)],
    ['Sold', String(soldOf(product) ?? '')],
    ['Tax', [product.tax_status === 'taxable' ? '' : product.tax_status, product.tax_class].filter(Boolean).join(', ')],
    ['Shipping class', product.shipping_class],
    ['Categories', categories.join(', ')],
    ['Summary', product.short_description],
  ]
  return [
    product.name,
    ...tableLines(rows.filter(([, value]) => value !== '')),
    ...section(
      'Variations',
      variations.map((each) => [
        nameOf(each),
        each.choices,
        priceText(each, settings),
        stockText(each),
        each.status === 'publish' ? '' : each.status,
      ]),
      [2],
    ),
    ...section(
      'Stock movements (UTC)',
      movements.map(({ at, change, kind, order_id: order }) => [
        minute(at),
        change > 0 ? `+${change}` : String(change),
        order === null ? kind : `${kind}, order ${order}`,
      ]),
      [1],
    ),
  ]
}
