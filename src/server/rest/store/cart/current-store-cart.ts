import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import { catalogVersionNow } from '#database/catalog/product-rows.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import type { Visit } from '../../../http/visit.ts'
import { cartRecord } from './cart-record.ts'

type Evaluated = { readonly state: SessionState; readonly cart: Promise<EvaluatedCart> }

/** The cart of a request's visitor, evaluated once for each state of the session. */
export class StoreCart {
  readonly #visit: Visit
  #evaluated: Evaluated | null = null

  constructor(visit: Visit) {
    this.#visit = visit
  }

  /** @param known products that the caller has just read */
  async evaluated(known?: ReadonlyMap<number, CartProduct>): Promise<EvaluatedCart> {
    const { id, state } = await this.#visit.session()
    if (this.#evaluated?.state !== state) {
      this.#evaluated = { state, cart: quoteCart(this.#visit.app.tools, id, state, known) }
    }
    return this.#evaluated.cart
  }

  /** Returns the cart in the format of the interface. */
  async record(known?: ReadonlyMap<number, CartProduct>): Promise<StoreCartRecord> {
    const [cart, version] = await Promise.all([this.evaluated(known), catalogVersionNow(this.#visit.app.tools.db.sql)])
    return cartRecord(this.#visit, cart, version)
  }

  /** Returns the hash of lines and total; '' for an empty cart. */
  async hash(): Promise<string> {
    const { lines } = (await this.#visit.session()).state
    return lines.length === 0 ? '' : (await this.evaluated()).quote.hash
  }
}
