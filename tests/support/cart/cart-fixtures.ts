import type { AddedInput, ItemsInput, TotalsLine, TotalsSwitches } from '#domain/cart/totals-input.ts'
import type { Coupon, CouponAmount } from '#domain/coupons/coupon.ts'
import { money } from '#domain/money/money.ts'
import type { TaxRate } from '#domain/tax/tax-rate.ts'

/** Makers of carts for tests. Each takes only what the case is about; amounts are minor units of the cart's currency. */

export const rate = (id: number, ppm: number, facts: Partial<TaxRate> = {}): TaxRate => ({
  id,
  code: `DE-VAT-${id}`,
  label: 'VAT',
  ratePpm: ppm,
  compound: false,
  shipping: true,
  ...facts,
})

export const line = (
  key: string,
  minor: number,
  quantity: number,
  facts: Partial<TotalsLine> = {},
  currency = 'EUR',
): TotalsLine => ({
  key,
  productId: 1,
  parentId: null,
  categoryIds: [],
  onSale: false,
  unitPrice: money(minor, currency),
  quantity,
  taxable: true,
  taxClass: '',
  ...facts,
})

export const coupon = (id: number, takesOff: CouponAmount, facts: Partial<Coupon> = {}): Coupon => ({
  id,
  code: `code-${id}`,
  takesOff,
  expiresAt: null,
  usageLimit: null,
  usageLimitPerUser: null,
  limitToItems: null,
  individualUse: false,
  excludeSaleItems: false,
  freeShipping: false,
  minimumAmount: null,
  maximumAmount: null,
  productIds: [],
  excludedProductIds: [],
  categoryIds: [],
  excludedCategoryIds: [],
  emails: [],
  ...facts,
})

export const off: TotalsSwitches = {
  taxesEnabled: true,
  pricesIncludeTax: false,
  roundAtSubtotal: false,
  vatExempt: false,
  sameGrossEverywhere: false,
  sequentialDiscounts: false,
}

export const cart = (
  switches: Partial<TotalsSwitches>,
  rates: readonly TaxRate[],
  lines: readonly TotalsLine[],
  rest: Partial<ItemsInput & AddedInput> = {},
): ItemsInput & AddedInput => ({
  currency: 'EUR',
  switches: { ...off, ...switches },
  lines,
  coupons: [],
  rates: { customer: { '': rates }, base: { '': rates } },
  shipping: [],
  shippingTaxClass: '',
  fees: [],
  ...rest,
})
