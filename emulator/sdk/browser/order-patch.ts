import type { ShippingQuestion } from './wire.ts'

type CheckoutAmount = { currencyCode: string; value: string }
type CheckoutOption = { id?: string; label: string; type: string; selected: boolean; amount?: CheckoutAmount }

/** What a page knows of the new price; amounts as decimal text. */
export type PatchWish = {
  itemTotal?: string
  taxTotal?: string
  handling?: string
  insurance?: string
  discount?: string
  shippingDiscount?: string
  shippingOption?: CheckoutOption
  shippingOptions?: CheckoutOption[]
}

const UNIT = "/purchase_units/@reference_id=='default'"

/** The operations that bring the order to the wished price, with the selected way of shipping in it. */
export function buildOrderPatch({ amount }: ShippingQuestion, wish: PatchWish): object[] {
  const money = (value: string) => ({ currency_code: amount.currency_code, value })
  const options = wish.shippingOptions
  const shipping = (wish.shippingOption ?? options?.find(({ selected }) => selected))?.amount?.value
  const parts = [
    ['item_total', wish.itemTotal, 1],
    ['shipping', shipping, 1],
    ['tax_total', wish.taxTotal, 1],
    ['handling', wish.handling, 1],
    ['insurance', wish.insurance, 1],
    ['discount', wish.discount, -1],
    ['shipping_discount', wish.shippingDiscount, -1],
  ] as const
  const given = parts.filter(([, value]) => value !== undefined)
  // Three places hold every currency; the total is written as the order's own amount is.
  const total = given.reduce((sum, [, value = '0', sign]) => sum + sign * thousandths(value), 0)
  const places = amount.value.split('.')[1]?.length ?? 0
  const value = {
    ...money((total / 1000).toFixed(places)),
    breakdown: Object.fromEntries(given.map(([name, part = '0']) => [name, money(part)])),
  }
  const replaceAmount = { op: 'replace', path: `${UNIT}/amount`, value }
  if (!options) return [replaceAmount]
  const sent = options.map(({ amount: price, ...option }) => ({
    ...option,
    ...(price ? { amount: { currency_code: price.currencyCode, value: price.value } } : {}),
  }))
  return [replaceAmount, { op: 'replace', path: `${UNIT}/shipping/options`, value: sent }]
}

/** A whole number, so that sums are exact. */
function thousandths(value: string): number {
  return Math.round(Number(value) * 1000)
}
