import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { CellResult } from '../import/product-csv-cells.ts'
import { percentText } from '../shared/merchant-rules.ts'
import { type ColumnTitles, type Header, type RowFault, RowReader, type TextRow } from '../shared/record-csv.ts'
import { amountIn, answerIn, countIn, momentIn, rateIn } from '../shared/tolerant-cells.ts'
import type { WrittenCoupon } from './settings.ts'

/** Columns of coupon files: the titles of the classic export plug-ins, then Shopify's. */
export const couponTitles = {
  shopMark: ['shop mark'],
  code: ['code', 'coupon code', 'post title', 'name', 'title'],
  status: ['status', 'post status'],
  type: ['discount type', 'type'],
  valueType: ['value type'],
  discountClass: ['discount class'],
  amount: ['coupon amount', 'amount', 'value', 'discount amount'],
  individual: ['individual use'],
  products: ['product skus', 'products', 'product ids'],
  excludeProducts: ['exclude product skus', 'exclude products', 'exclude product ids', 'excluded product ids'],
  categories: ['product categories', 'product category ids'],
  excludeCategories: ['exclude product categories', 'excluded product categories', 'exclude product category ids'],
  used: ['usage count', 'used', 'times used in total', 'times used'],
  limit: ['usage limit', 'usage limit per coupon', 'usage limit per code'],
  limitPerCustomer: ['usage limit per user', 'usage limit per customer'],
  oncePerCustomer: ['applies once per customer', 'once per customer'],
  limitItems: ['limit usage to x items'],
  expires: ['date expires', 'expiry date', 'expires', 'end', 'ends at'],
  starts: ['start', 'starts at', 'date starts'],
  freeShipping: ['free shipping', 'enable free shipping'],
  minimum: ['minimum amount', 'minimum spend', 'minimum purchase requirements'],
  maximum: ['maximum amount', 'maximum spend'],
  excludeSale: ['exclude sale items'],
  emails: ['customer email', 'customer emails', 'email restrictions', 'allowed emails'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CouponColumn = keyof typeof couponTitles
export const couponColumns: ColumnTitles<CouponColumn> = couponTitles

/** A coupon of a file in the merchant's notation. Its products and categories are as the file names them. */
export type ImportedCoupon = {
  readonly row: number
  readonly shopMark: string
  readonly written: WrittenCoupon
  readonly used: number
  readonly startsAt: Date | null
  /** The word of the file for a coupon that cannot be used, such as `draft`; '' otherwise. */
  readonly inactive: string
}

const types: Readonly<Record<string, WrittenCoupon['type']>> = {
  percent: 'percent',
  percentage: 'percent',
  'percentage discount': 'percent',
  percent_product: 'percent',
  fixed_cart: 'fixed_cart',
  fixed_amount: 'fixed_cart',
  'fixed cart discount': 'fixed_cart',
  'fixed basket discount': 'fixed_cart',
  fixed_product: 'fixed_product',
  'fixed product discount': 'fixed_product',
}

const inactiveWords: ReadonlySet<string> = new Set(['draft', 'trash', 'private', 'pending', 'auto-draft', 'disabled'])

/** Reads one coupon. @returns null with faults where it cannot be imported */
export function readImportedCoupon(
  header: Header<CouponColumn>,
  row: TextRow,
  { currency, timeZone }: { readonly currency: string; readonly timeZone: string },
): { readonly record: ImportedCoupon | null; readonly faults: readonly RowFault[] } {
  const reader = new RowReader(header, row)
  const code = reader.text('code')
  if (code === '') reader.fault('code', 'is missing')
  const amount = (column: CouponColumn) =>
    reader.read(column, '', (text) => decimalOf(amountIn(text, currencyExponent(currency)), currency))
  const limit = (column: CouponColumn) => reader.read(column, '', (text) => mapped(countIn(text), String))
  const flag = (column: CouponColumn) => reader.read(column, false, answerIn)
  const moment = (column: CouponColumn) => reader.read<Date | null>(column, null, (text) => momentIn(text, timeZone))

  const kind = typeOf(reader)
  const value = kind.type === 'percent' ? percentIn(reader) : amount('amount')
  const unlimited = kind.type === 'fixed_cart'
  const written = {
    code,
    type: kind.type,
    amount: kind.freeShipping ? '0' : value.replace(/^-/, '') || '0',
    minimum: zeroless(amount('minimum')),
    maximum: zeroless(amount('maximum')),
    products: listIn(reader.text('products')),
    excludeProducts: listIn(reader.text('excludeProducts')),
    categories: listIn(reader.text('categories')),
    excludeCategories: listIn(reader.text('excludeCategories')),
    excludeSale: flag('excludeSale'),
    emails: listIn(reader.text('emails')).map((email) => email.toLowerCase()),
    individual: flag('individual'),
    limit: limit('limit'),
    limitPerCustomer: limit('limitPerCustomer') || (flag('oncePerCustomer') ? '1' : ''),
    // The classic shop keeps a limit of items that means nothing for the cart as a whole.
    limitItems: unlimited ? '' : limit('limitItems'),
    expires: moment('expires')?.toISOString() ?? '',
    freeShipping: flag('freeShipping') || kind.freeShipping,
  }
  const status = reader.text('status').toLowerCase()
  const used = reader.read('used', 0, (text) => countIn(text))
  const startsAt = moment('starts')
  if (reader.faults.length > 0) return { record: null, faults: reader.faults }
  const inactive = inactiveWords.has(status) ? status : ''
  return { record: { row: row.row, shopMark: reader.text('shopMark'), written, used, startsAt, inactive }, faults: [] }
}

/** Reads the type; Shopify names that of the value, and what it is taken off. */
function typeOf(reader: RowReader<CouponColumn>): { type: WrittenCoupon['type']; freeShipping: boolean } {
  const valueType = reader.text('valueType').toLowerCase()
  const off = reader.text('discountClass').toLowerCase() || (valueType === '' ? '' : reader.text('type').toLowerCase())
  if (/\bshipping\b/.test(off)) return { type: 'fixed_cart', freeShipping: true }
  // The file does not say which products: without them the coupon would apply to all.
  if (/\bproducts?\b|buy x/.test(off)) {
    reader.fault(
      reader.has('discountClass') ? 'discountClass' : 'type',
      'is a discount on products that the file does not name',
    )
    return { type: 'percent', freeShipping: false }
  }
  const column = valueType === '' ? 'type' : 'valueType'
  const type = reader.read<WrittenCoupon['type']>(column, 'fixed_cart', (text) => {
    const known = types[text.toLowerCase()]
    return known ? { value: known } : { problem: 'must be percent, fixed_cart or fixed_product' }
  })
  return { type, freeShipping: false }
}

function percentIn(reader: RowReader<CouponColumn>): string {
  return reader.read('amount', '', (text) => mapped(rateIn(text.replace(/^-/, '')), percentText))
}

function mapped<From, To>(result: CellResult<From>, to: (value: From) => To): CellResult<To> {
  return 'value' in result ? { value: to(result.value) } : result
}

const decimalOf = (result: CellResult<number>, currency: string) =>
  mapped(result, (minor) => decimalString(money(minor, currency)))

/** Classic exports write 0 for no limit. */
const zeroless = (amount: string) => (/[1-9]/.test(amount) ? amount : '')

/** Parses a list with commas, semicolons or pipes; a backslash before a mark makes it a letter. */
function listIn(cell: string): string[] {
  return cell
    .split(/(?<!\\)[,;|]/)
    .map((part) => part.replace(/\\([,;|])/g, '$1').trim())
    .filter((part) => part !== '')
}

/** Formats a list, the inverse of its parser. */
function listCell(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[,;|]/g, '\\$&')).join(', ')
}

/** The columns of a coupon file of this shop, in their order: those of the classic export, and the mark of the shop. */
export const exportedCouponColumns = [
  'shop_mark',
  'code',
  'status',
  'discount_type',
  'coupon_amount',
  'individual_use',
  'products',
  'exclude_products',
  'product_categories',
  'exclude_product_categories',
  'usage_count',
  'usage_limit',
  'usage_limit_per_user',
  'limit_usage_to_x_items',
  'date_expires',
  'free_shipping',
  'exclude_sale_items',
  'minimum_amount',
  'maximum_amount',
  'customer_email',
] as const

/** Returns the cells of a coupon, in the order of the columns. */
export function couponCells(
  coupon: WrittenCoupon,
  { used, status, shopMark }: { readonly used: number; readonly status: string; readonly shopMark: string },
): string[] {
  const yes = (flag: boolean) => (flag ? 'yes' : 'no')
  return [
    shopMark,
    coupon.code,
    status,
    coupon.type,
    coupon.amount,
    yes(coupon.individual),
    listCell(coupon.products),
    listCell(coupon.excludeProducts),
    listCell(coupon.categories),
    listCell(coupon.excludeCategories),
    String(used),
    coupon.limit,
    coupon.limitPerCustomer,
    coupon.limitItems,
    coupon.expires,
    yes(coupon.freeShipping),
    yes(coupon.excludeSale),
    coupon.minimum,
    coupon.maximum,
    listCell(coupon.emails),
  ]
}
