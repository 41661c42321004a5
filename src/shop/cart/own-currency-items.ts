import type { ShopSettings } from '#contract/shared/settings.ts'
import { type ItemTotals, itemTotals } from '#domain/cart/item-totals.ts'
import type { SubtotalSpread } from '#domain/currency/converted-limit.ts'
import { type Exchange, isOwnCurrency } from '#domain/currency/exchange.ts'
import { add, type Money, money } from '#domain/money/money.ts'
import { taxesOn } from '#domain/tax/taxes-on.ts'
import type { StoredCoupon } from '../coupons/read-coupons.ts'

/**
 * Returns the items in the shop's own currency, before conversion and price endings. Limits of coupons, fees and free
 * shipping are compared with them, so that a cart qualifies in every currency or in none.
 */
export function ownCurrencyItems(
  items: ItemTotals,
  exchange: Exchange,
  cart: { readonly entries: readonly { readonly entered: number }[]; readonly coupons: readonly StoredCoupon[] },
): ItemTotals {
  if (isOwnCurrency(exchange)) return items
  const { from } = exchange
  return itemTotals({
    ...items.input,
    currency: from,
    lines: items.input.lines.map((line, place) => ({
      ...line,
      unitPrice: money(cart.entries[place]?.entered ?? 0, from),
    })),
    coupons: cart.coupons.map((coupon) => ({ ...coupon, takesOff: coupon.entered })),
  })
}

/** Returns an amount as the cart displays it: with its tax, or without. */
export function displayedAmount({ taxes }: Pick<ShopSettings, 'taxes'>, net: Money, tax: Money): Money {
  return taxes.displayCart === 'incl' ? add(net, tax) : net
}

/** Returns the maximum distance of a displayed subtotal from its conversion. */
export function subtotalSpread({ taxes }: Pick<ShopSettings, 'taxes'>, { input }: ItemTotals): SubtotalSpread {
  const pieces = 1 + input.lines.reduce((count, { quantity }) => count + quantity, 0)
  const isExact = !taxes.enabled || !(taxes.pricesIncludeTax || taxes.displayCart === 'incl')
  if (isExact) return { pieces, taxPpm: 0, roundings: 0 }
  const rates = Object.values(input.rates.customer)
  const taxPpm = rates.map((list) => Number(taxesOn(1_000_000n, list, false).reduce((sum, tax) => sum + tax, 0n)))
  return {
    pieces,
    taxPpm: Math.max(0, ...taxPpm),
    roundings: 1 + Math.max(0, ...rates.map(({ length }) => length)),
  }
}
