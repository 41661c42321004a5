import { lineName } from '#domain/orders/line-name.ts'
import { choicesOf } from './chosen-options.ts'
import type { CartEntry } from './evaluated-cart.ts'

/** Names a cart line like an order line. */
export function entryName({ line, product }: Pick<CartEntry, 'line' | 'product'>): string {
  return lineName({ name: product.name, choices: choicesOf(product, line) })
}
