import { z } from 'zod'
import { couponCode } from '#domain/coupons/coupon.ts'
import { dayIn } from '../import/product-csv-cells.ts'
import { type Checked, figure, ppmOf, RuleReader, type RuleUnits, texts } from '../shared/merchant-rules.ts'

const ids = z.array(z.number().int()).default([])

/** The restrictions of a coupon, as stored in its `settings`. Amounts are minor units of the shop's currency. */
export const couponSettings = z.object({
  usageLimitPerUser: z.number().int().nullable().default(null),
  limitToItems: z.number().int().nullable().default(null),
  individualUse: z.boolean().default(false),
  excludeSaleItems: z.boolean().default(false),
  freeShipping: z.boolean().default(false),
  minimumAmount: z.number().int().nullable().default(null),
  maximumAmount: z.number().int().nullable().default(null),
  productIds: ids,
  excludedProductIds: ids,
  categoryIds: ids,
  excludedCategoryIds: ids,
  emails: z.array(z.string()).default([]),
})

export type CouponSettings = z.infer<typeof couponSettings>

export const couponTypes = ['percent', 'fixed_cart', 'fixed_product'] as const

/** A coupon in the merchant's notation, in a command or in a file. */
export const writtenCoupon = z.strictObject({
  code: z.string().transform(couponCode),
  type: z.enum(couponTypes, `must be one of ${couponTypes.join(', ')}`).default('fixed_cart'),
  /** A percentage, or an amount in the shop's currency: `15`, `7.50`. */
  amount: figure.default('0'),
  /** Minimum of the cart before discounts, as the cart shows it. */
  minimum: figure.default(''),
  maximum: figure.default(''),
  /** SKUs, or `id:` and a number. A product includes its variations. */
  products: texts.default([]),
  excludeProducts: texts.default([]),
  /** The last parts of their URLs, `ceramics`, or `id:` and a number. A category includes those below it. */
  categories: texts.default([]),
  excludeCategories: texts.default([]),
  excludeSale: z.boolean().default(false),
  /** Email addresses, or patterns: `*@club.example`. */
  emails: texts.default([]),
  /** Cannot be combined with another coupon. */
  individual: z.boolean().default(false),
  /** Maximum number of orders that use it. */
  limit: figure.default(''),
  limitPerCustomer: figure.default(''),
  /** Maximum number of items in a cart that it discounts; not for fixed_cart. */
  limitItems: figure.default(''),
  /** `2026-12-31`: expires at the start of that day in the shop's time zone. A time of day may follow. */
  expires: z.string().trim().default(''),
  freeShipping: z.boolean().default(false),
})

export type WrittenCoupon = z.output<typeof writtenCoupon>
/** With defaults for every member except the code. */
export type CouponInput = z.input<typeof writtenCoupon>

/** A coupon with parsed figures; products and categories are still names. */
export type CouponFields = {
  readonly code: string
  readonly type: (typeof couponTypes)[number]
  readonly amountPpm: number | null
  readonly amountMinor: number | null
  readonly usageLimit: number | null
  readonly expiresAt: Date | null
  readonly settings: Omit<CouponSettings, 'productIds' | 'excludedProductIds' | 'categoryIds' | 'excludedCategoryIds'>
}

const longestCode = 100
const wholePpm = 1_000_000

export function couponFields(written: WrittenCoupon, units: RuleUnits): Checked<CouponFields> {
  const read = new RuleReader()
  const { code, type } = written
  if (code === '') read.fault('code', 'is missing')
  else if (code.length > longestCode) read.fault('code', `has more than ${longestCode} characters`)
  else if (/[\p{Cc}\p{Cf}]/u.test(code)) read.fault('code', 'holds a character that nobody can see')

  const minimumAmount = read.amount('minimum', written.minimum, units.decimals)
  const maximumAmount = read.amount('maximum', written.maximum, units.decimals)
  if (minimumAmount !== null && maximumAmount !== null && maximumAmount < minimumAmount)
    read.fault('maximum', 'must not be below the minimum')
  const limitToItems = read.limit('limitItems', written.limitItems)
  if (limitToItems !== null && type === 'fixed_cart')
    read.fault('limitItems', 'is not for fixed_cart, which takes one amount off the whole cart')
  for (const email of written.emails) {
    if (!/^[^\s@]*[@*][^\s@]*$/.test(email))
      read.fault('emails', `"${email}" is no address and no pattern like *@club.example`)
  }
  return read.done({
    code,
    type,
    amountPpm: type === 'percent' ? percentage(written.amount, read) : null,
    amountMinor: type === 'percent' ? null : (read.amount('amount', written.amount || '0', units.decimals) ?? 0),
    usageLimit: read.limit('limit', written.limit),
    expiresAt: moment(written.expires, units.timeZone, read),
    settings: {
      usageLimitPerUser: read.limit('limitPerCustomer', written.limitPerCustomer),
      limitToItems,
      individualUse: written.individual,
      excludeSaleItems: written.excludeSale,
      freeShipping: written.freeShipping,
      minimumAmount,
      maximumAmount,
      emails: written.emails.map((email) => email.toLowerCase()),
    },
  })
}

function percentage(written: string, read: RuleReader): number {
  const parsed = ppmOf(written.replace(/\s*%$/, '') || '0')
  if ('problem' in parsed) read.fault('amount', parsed.problem)
  else if (parsed.ppm > wholePpm) read.fault('amount', 'must be at most 100: it is a percentage')
  else return parsed.ppm
  return 0
}

function moment(written: string, timeZone: string, read: RuleReader): Date | null {
  if (written === '') return null
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(written) && !Number.isNaN(Date.parse(written)))
    return new Date(written)
  const day = dayIn(written, 'start', timeZone)
  if ('value' in day) return day.value
  read.fault('expires', `${day.problem}; a time of day may follow`)
  return null
}

/** Formats a time for `expires`: the day if it is the start of one in the shop's time zone, else day and time. */
export function expiryText(expiresAt: Date | null, timeZone: string): string {
  if (expiresAt === null) return ''
  // The Swedish date format is that of ISO 8601.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    expiresAt,
  )
  for (const text of [local.slice(0, 10), local]) {
    const read = dayIn(text, 'start', timeZone)
    if ('value' in read && read.value.getTime() === expiresAt.getTime()) return text
  }
  // An hour repeated by a clock change, or fractions of a second.
  return expiresAt.toISOString()
}
