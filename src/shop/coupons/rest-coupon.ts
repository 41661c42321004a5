import { couponSettings } from '#contract/coupons/settings.ts'
import type { V3CouponRecord, V3CouponUpdate } from '#contract/coupons/v3-coupons.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { localTime } from '../shared/local-time.ts'
import { metaEntries } from '../shared/meta-data.ts'
import type { Tools } from '../shared/tools.ts'

/** Returns a coupon for the REST API; amounts are decimals of the shop's currency. @param usedBy its customers */
export function restCoupon(
  { settings }: Pick<Tools, 'settings'>,
  row: Row<'coupons'>,
  usedBy: readonly string[],
): V3CouponRecord {
  const set = couponSettings.parse(row.settings)
  const amount = (minor: number | null) => decimalString(money(minor ?? 0, settings.currency))
  const local = (at: Date) => localTime(at, settings.timeZone)
  const gmt = (at: Date) => localTime(at, 'UTC')
  return {
    id: row.id,
    code: row.code,
    amount: row.type === 'percent' ? twoDecimals(percentText(row.amount_ppm ?? 0)) : amount(row.amount_minor),
    status: row.trashed_at ? 'trash' : row.status,
    date_created: local(row.created_at),
    date_created_gmt: gmt(row.created_at),
    date_modified: local(row.updated_at),
    date_modified_gmt: gmt(row.updated_at),
    discount_type: row.type,
    description: row.description,
    date_expires: row.expires_at && local(row.expires_at),
    date_expires_gmt: row.expires_at && gmt(row.expires_at),
    usage_count: row.used,
    individual_use: set.individualUse,
    product_ids: set.productIds,
    excluded_product_ids: set.excludedProductIds,
    usage_limit: row.usage_limit,
    usage_limit_per_user: set.usageLimitPerUser,
    limit_usage_to_x_items: set.limitToItems,
    free_shipping: set.freeShipping,
    product_categories: set.categoryIds,
    excluded_product_categories: set.excludedCategoryIds,
    exclude_sale_items: set.excludeSaleItems,
    minimum_amount: amount(set.minimumAmount),
    maximum_amount: amount(set.maximumAmount),
    email_restrictions: set.emails,
    used_by: [...usedBy],
    meta_data: [...metaEntries(row.meta_data)],
  }
}

/** Formats a percentage like an amount: `10` as `10.00`, `7.125` as it is. */
function twoDecimals(text: string): string {
  const [whole = '0', decimals = ''] = text.split('.')
  return `${whole}.${decimals.padEnd(2, '0')}`
}

/** Parameters of the interface by the members of a written coupon, for its faults. */
export const couponParameters: Readonly<Record<string, string>> = {
  type: 'discount_type',
  minimum: 'minimum_amount',
  maximum: 'maximum_amount',
  products: 'product_ids',
  excludeProducts: 'excluded_product_ids',
  categories: 'product_categories',
  excludeCategories: 'excluded_product_categories',
  excludeSale: 'exclude_sale_items',
  emails: 'email_restrictions',
  individual: 'individual_use',
  limit: 'usage_limit',
  limitPerCustomer: 'usage_limit_per_user',
  limitItems: 'limit_usage_to_x_items',
  expires: 'date_expires',
  freeShipping: 'free_shipping',
}

/** Returns the members of a written coupon that a program sends. */
export function writtenByProgram(
  { settings }: Pick<Tools, 'settings'>,
  given: V3CouponUpdate,
): Record<string, unknown> {
  const named = (ids: readonly number[] | undefined) => ids?.map((id) => `id:${id}`)
  // A limit of 0 means none.
  const bound = (amount: string | undefined) =>
    amount === undefined ? undefined : Number(amount) === 0 ? '' : withoutZeros(amount)
  const all = {
    code: given.code,
    type: given.discount_type,
    amount: given.amount === undefined ? undefined : withoutZeros(given.amount),
    minimum: bound(given.minimum_amount),
    maximum: bound(given.maximum_amount),
    products: named(given.product_ids),
    excludeProducts: named(given.excluded_product_ids),
    categories: named(given.product_categories),
    excludeCategories: named(given.excluded_product_categories),
    excludeSale: given.exclude_sale_items,
    emails: given.email_restrictions,
    individual: given.individual_use,
    limit: given.usage_limit,
    limitPerCustomer: given.usage_limit_per_user,
    limitItems: given.limit_usage_to_x_items,
    expires: expiryOf(given, settings.timeZone),
    freeShipping: given.free_shipping,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const withoutZeros = (amount: string) => amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

function expiryOf({ date_expires: local, date_expires_gmt: gmt }: V3CouponUpdate, timeZone: string) {
  if (local === undefined && gmt === undefined) return undefined
  if (local) return momentIn(local, timeZone).toISOString()
  return gmt ? momentIn(gmt, 'UTC').toISOString() : ''
}
