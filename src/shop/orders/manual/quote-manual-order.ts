import { productsForCart } from '#database/cart/cart-products.ts'
import { findCustomer } from '#database/customers/customers.ts'
import { applicableCoupons } from '#domain/coupons/coupon-validity.ts'
import { money } from '#domain/money/money.ts'
import type { EvaluatedCart } from '../../cart/evaluated-cart.ts'
import type { Quote } from '../../cart/quote.ts'
import { quoteOf, type StatedParts, workOutCart } from '../../cart/quote-cart.ts'
import { completeEmail, validateCoupons } from '../../coupons/apply-coupon.ts'
import { readCoupons } from '../../coupons/read-coupons.ts'
import { hasPlace } from '../../customers/sessions/login-state.ts'
import { emptySession, type SessionState } from '../../customers/sessions/session-state.ts'
import type { Tools } from '../../shared/tools.ts'
import { type Manual, type ManualOrder, manualFault } from './manual-order.ts'

/**
 * Calculates an order without a cart by the totals engine: prices and taxes of its products, stated amounts, shipping
 * lines and fees as written, and its coupons by their rules. The line keys of the quote are the positions of the lines.
 */
export async function quoteManualOrder(given: Tools, order: ManualOrder): Promise<Manual<Quote>> {
  // A snapshot, as in `quoteCart`.
  const tools: Tools = { ...given }
  const { currency } = tools.settings
  const now = tools.clock.now()
  const [products, customer, applied] = await Promise.all([
    productsForCart(
      tools.db,
      order.lines.map(({ soldId }) => soldId),
      now,
      { sessionId: order.sessionId },
    ),
    order.customerId === null ? undefined : findCustomer(tools.db.kysely, order.customerId),
    readCoupons(tools, order.coupons),
  ])
  const unknown = order.coupons.find((code) => !applied.some((coupon) => coupon.code === code))
  if (unknown !== undefined) return manualFault('coupon_lines', `There is no coupon "${unknown}".`)
  if (order.coupons.length > 0 && !tools.settings.couponsEnabled)
    return manualFault('coupon_lines', 'Coupons are disabled.')
  const coupons = applicableCoupons(applied)
  if (coupons.length < applied.length)
    return manualFault('coupon_lines', 'A coupon of this order cannot be combined with the others.')

  const amount = (minor: number) => money(minor, currency)
  const stated: StatedParts = {
    lines: new Map(
      order.lines.flatMap(({ amounts }, place) =>
        amounts
          ? [
              [
                String(place),
                {
                  subtotal: amount(amounts.subtotal),
                  total: amount(amounts.total),
                  includesTax: amounts.includesTax,
                },
              ],
            ]
          : [],
      ),
    ),
    shipping: order.shippingLines.map(({ rateId, label, cost, taxable }) => ({
      id: rateId,
      label,
      cost: amount(cost),
      taxable,
    })),
    fees: order.fees.map(({ name, amount: minor, taxable, taxClass }) => ({
      name,
      amount: amount(minor),
      taxable,
      taxClass,
    })),
  }
  const state = stateOf(order, products, customer?.vat_exempt ?? false)
  const evaluate = (used: typeof coupons) => workOutCart(tools, state, products, used, now, stated)
  const bare = evaluate([])
  const [gone] = bare.dropped
  if (gone) {
    const sold = gone.name === '' ? `Product ${gone.line.productId}` : `"${gone.name}"`
    return manualFault('line_items', `${sold} cannot be sold: ${droppedReasons[gone.reason]}.`)
  }
  // Only its lines and subtotal are read.
  const cart = bare as EvaluatedCart
  const buyer = { id: order.sessionId, customerId: order.customerId }
  const [invalid] = await validateCoupons(tools, buyer, cart, coupons, completeEmail(order.billing.email))
  if (invalid) return manualFault('coupon_lines', `The coupon "${invalid[0]}" is not valid: ${invalid[1].reason}.`)
  const quote = quoteOf(tools, coupons.length > 0 ? evaluate(coupons) : bare)
  const fees = quote.fees.map((fee, place) => ({ ...fee, taxClass: order.fees[place]?.taxClass ?? '' }))
  return { ok: true, value: { ...quote, fees } }
}

const droppedReasons = {
  gone: 'it does not exist',
  changed: 'a variation of it is required',
  'not-purchasable': 'it has no price, or its type is not sold',
} as const

function stateOf(
  { lines, billing, shipping, paymentMethod }: ManualOrder,
  products: ReadonlyMap<number, { readonly id: number; readonly parentId: number | null; chosen: object }>,
  vatExempt: boolean,
): SessionState {
  return {
    ...emptySession,
    lines: lines.map(({ soldId, quantity, attributes }, place) => {
      const product = products.get(soldId)
      const parent = product?.parentId ?? null
      return {
        key: String(place),
        productId: parent ?? soldId,
        variationId: parent === null ? null : soldId,
        quantity,
        attributes: { ...attributes, ...fixedOptions(product?.chosen ?? {}) },
        addedAt: 0,
      }
    }),
    billing,
    shipping,
    shipToDifferent: hasPlace(shipping) || (billing.country === '' && shipping.country !== ''),
    vatExempt,
    paymentMethod,
  }
}

/** Options that the variation determines; an empty one is open. */
const fixedOptions = (chosen: object) => Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))
