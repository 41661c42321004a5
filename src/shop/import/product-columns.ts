import type { ProductRow, RowRules, RowType } from '#contract/import/product-csv-row.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { ExistingProduct, ProductColumn, ProductColumns } from '#database/catalog/write-products.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { cleanMarkup } from '../catalog/clean-markup.ts'

/** Returns the rules by which this shop parses cells. */
export function rowRules({ currency, timeZone, taxes }: ShopSettings): RowRules {
  return { decimals: currencyExponent(currency), currency, timeZone, taxClasses: taxes.classes }
}

/** Members of a row that are written to a column unchanged. */
const plain = {
  sku: 'sku',
  gtin: 'gtin',
  name: 'name',
  status: 'status',
  featured: 'featured',
  visibility: 'visibility',
  shortDescription: 'short_description',
  description: 'description',
  regularPrice: 'regular_price',
  salePrice: 'sale_price',
  saleFrom: 'sale_from',
  saleTo: 'sale_to',
  taxStatus: 'tax_status',
  taxClass: 'tax_class',
  lowStockAmount: 'low_stock_amount',
  backorders: 'backorders',
  soldIndividually: 'sold_individually',
  keepsMethod: 'keeps_method',
  virtual: 'virtual',
  downloadable: 'downloadable',
  downloadLimit: 'download_limit',
  downloadExpiryDays: 'download_expiry_days',
  weightGrams: 'weight_grams',
  lengthMm: 'length_mm',
  widthMm: 'width_mm',
  heightMm: 'height_mm',
  reviewsAllowed: 'reviews_allowed',
  purchaseNote: 'purchase_note',
  shippingClass: 'shipping_class',
  externalUrl: 'external_url',
  buttonText: 'button_text',
  position: 'menu_order',
  meta: 'meta',
  type: 'type',
} as const satisfies Partial<Record<keyof ProductRow, ProductColumn>>

/** Columns with markup, which pages show as it is. */
const markup: ReadonlySet<ProductColumn> = new Set(['short_description', 'description', 'purchase_note'] as const)

/** Defaults of a new product for missing columns. */
const defaults: Readonly<Record<ProductColumn, unknown>> = {
  parent_id: null,
  type: 'simple',
  sku: null,
  gtin: '',
  name: '',
  status: 'publish',
  featured: false,
  visibility: 'visible',
  short_description: '',
  description: '',
  regular_price: null,
  sale_price: null,
  sale_from: null,
  sale_to: null,
  tax_status: 'taxable',
  tax_class: '',
  manage_stock: 'no',
  stock_quantity: null,
  stock_status: 'instock',
  low_stock_amount: null,
  backorders: 'no',
  sold_individually: false,
  keeps_method: false,
  virtual: false,
  downloadable: false,
  downloads: [],
  download_limit: null,
  download_expiry_days: null,
  weight_grams: null,
  length_mm: null,
  width_mm: null,
  height_mm: null,
  reviews_allowed: true,
  purchase_note: '',
  shipping_class: '',
  external_url: '',
  button_text: '',
  menu_order: 0,
  meta: {},
  imported_id: null,
}

/** Names of all columns that an import may set. */
// The type of `defaults` requires each name, and no other.
export const productColumnNames = Object.keys(defaults) as readonly ProductColumn[]

/**
 * Returns the columns of a product from the file. All rows of one file and kind have the same.
 * @param files stored paths of the row's downloadable files, by their name in the row
 */
export function columnsOfRow(
  row: ProductRow,
  type: RowType,
  existing: ExistingProduct | undefined,
  parent: ExistingProduct | null,
  files: ReadonlyMap<string, string> = new Map(),
): ProductColumns {
  const columns: ProductColumns = {}
  for (const [member, column] of Object.entries(plain)) {
    // Object.entries loses the key types that `plain` was checked for.
    const value = row[member as keyof typeof plain]
    if (value !== undefined)
      columns[column] = typeof value === 'string' && markup.has(column) ? cleanMarkup(value) : value
  }
  if (row.downloads)
    columns.downloads = row.downloads.map(({ id, name, url }) => ({ id, name, url: files.get(url) ?? url }))
  if (parent) columns.parent_id = parent.id
  if (row.stock) {
    columns.manage_stock = row.stock.manage
    columns.stock_quantity = row.stock.manage === 'yes' ? row.stock.quantity : null
  }
  if (row.stock || row.stockStatus) columns.stock_status = stockStatus(row, type, existing, parent)
  return columns
}

export function newColumns(columns: ProductColumns): ProductColumns {
  return { ...defaults, ...columns }
}

/** Returns the stock status: by a managed quantity; else derived statuses stay; else the file's own value. */
function stockStatus(
  row: ProductRow,
  type: RowType,
  existing: ExistingProduct | undefined,
  parent: ExistingProduct | null,
): string {
  const backorders = row.backorders ?? existing?.backorders ?? 'no'
  if (row.stock?.manage === 'yes') {
    if (row.stock.quantity > 0) return 'instock'
    return backorders === 'no' ? 'outofstock' : 'onbackorder'
  }
  const derived =
    type === 'variable' || parent?.manage_stock === 'yes' || (!row.stock && existing?.manage_stock === 'yes')
  if (derived && existing) return existing.stock_status
  return row.stockStatus ?? existing?.stock_status ?? 'instock'
}

/** Returns the difference between the new and the old quantity. @param before null: a new product */
export function countedChange(row: ProductRow, before: ExistingProduct | undefined): number {
  if (!row.stock) return 0
  const now = row.stock.manage === 'yes' ? row.stock.quantity : 0
  return now - (before?.manage_stock === 'yes' ? (before.stock_quantity ?? 0) : 0)
}
