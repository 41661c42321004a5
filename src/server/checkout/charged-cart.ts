import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { describeCart } from '#shop/cart/describe-cart.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { currentCart } from '../cart/fragments.tsx'
import { chargedView } from '../currency/currency-choice.ts'
import type { Visit } from '../http/visit.ts'
import type { Application } from '../operations/startup/application.ts'

/** @property charged the cart as it is paid: in the currency that is charged, worked out from the shop's own prices */
export type PayingCart = { cart: EvaluatedCart; facts: CartFacts; charged: EvaluatedCart }

/**
 * The visitor's cart for what leads to paying: where prices are shown in another currency than is charged, each side is told
 * of the other. The cart page says what will be charged, the checkout what that is in the currency which the visitor sees.
 */
export async function payingCart(visit: Visit): Promise<PayingCart> {
  const { app } = visit
  const { cart, facts } = await currentCart(visit)
  const charged = chargedView(app)
  if (charged !== app) {
    const paid = await quoteIn(visit, charged, cart)
    return { cart, facts: { ...facts, charged: paid.totals.total }, charged: paid }
  }
  if (visit.shownCurrency === app.tools.settings.currency) return { cart, facts, charged: cart }
  const shown = app.inCurrency(visit.shownCurrency)
  const guide = await describeCart(shown.tools, await quoteIn(visit, shown, cart), '')
  return { cart, facts: { ...facts, guide }, charged: cart }
}

/** The same cart in another view of the shop, of products as they were read: those of its lines are said already. */
async function quoteIn(visit: Visit, { tools }: Application, { products }: EvaluatedCart): Promise<EvaluatedCart> {
  const { id, state } = await visit.session()
  return quoteCart(tools, id, state, products)
}
