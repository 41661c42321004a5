import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { describeCart } from '#shop/cart/describe-cart.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { currentCart } from '../cart/fragments.tsx'
import { chargedView } from '../currency/currency-choice.ts'
import type { Visit } from '../http/visit.ts'
import type { Application } from '../operations/startup/application.ts'

/** @property charged the cart as it is paid: in the charged currency, computed from the shop's own prices */
export type PayingCart = { cart: EvaluatedCart; facts: CartFacts; charged: EvaluatedCart }

/**
 * Returns the visitor's cart for pages that lead to a payment. Where prices are shown in another currency than charged,
 * the cart page also shows the charged amount, and the checkout the amount in the visitor's currency.
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

/**
 * Computes the same cart in another view of the shop, with the products read before: their lines' notices exist
 * already.
 */
async function quoteIn(visit: Visit, { tools }: Application, { products }: EvaluatedCart): Promise<EvaluatedCart> {
  const { id, state } = await visit.session()
  return quoteCart(tools, id, state, products)
}
